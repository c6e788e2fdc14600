// What the server says (viewer/run_source.hpp, viewer/problem_source.hpp), and the two places it may come from: the server, or the page
// itself when it was exported.

export interface Item {
  name: string;
  kind: 'record' | 'problem';
}

/** Parts of one kind of shape: their bodies, places about the bodies' centres of mass, and sizes. */
export interface PartColumns {
  body: number[];
  centre: number[];
  axes: number[];
  size: number[];
}

export interface PolygonColumns {
  body: number[];
  vertices: number[];
  faces: number[];
  corners: number[];
  sizes: number[];
  loops: number[];
}

/** The first `moving` bodies are those of the record, then come `driven` ones, then fixed ones, whose places are here. */
export interface BodyColumns {
  name: string[];
  kind: string[];
  material: string[];
  mass: number[];
  volume: number[];
  young: (number | null)[];
  poisson: (number | null)[];
  position: number[];
  orientation: number[];
}

export type RoundKind = 'sphere' | 'ellipsoid';
export type SolidKind = 'box' | 'cylinder' | 'capsule';

export interface RecordInfo {
  kind: 'record';
  name: string;
  title: string;
  scene: string;
  /** s */
  step: number;
  time: number[];
  moving: number;
  driven: number;
  deforms: boolean;
  origin: number[];
  gravity: number[];
  low: number[];
  high: number[];
  bodies: BodyColumns;
  parts: {[kind in RoundKind | SolidKind | 'plane']?: PartColumns} & {polygons: PolygonColumns};
  /** Bodies with vertices of their own: triangles of their surfaces, counted from 0 over all vertices. */
  skin?: {vertices: number; triangles: number[]; owner: number[]};
}

export interface Point {
  source: string;
  error: number;
  r: number[];
  u: number[];
  status: number[];
  errors: number[];
}

export interface ProblemInfo {
  kind: 'problem';
  name: string;
  title: string;
  description: string;
  form: string;
  contacts: number;
  dimension: number;
  islands: number;
  couplings: number;
  edges: number[];
  position: number[];
  island: number[];
  mu: number[];
  tolerance: number;
  point?: Point;
}

export interface SolveState {
  done: boolean;
  iteration: number[];
  seconds: number[];
  history: number[];
  status?: string;
  solver?: string;
  used?: string;
  stage?: string;
  iterations?: number;
  error?: number;
  message?: string;
  point?: Point;
}

export interface StepColumns {
  time: number[];
  kinetic: number[];
  potential: number[];
  elastic: number[];
  dissipated: number[];
  contacts: number[];
  iterations: number[];
  error: number[];
  penetration: number[];
}

export interface BodyHistory {
  time: number[];
  position: number[];
  velocity: number[];
}

export interface ContactHistory {
  time: number[];
  impulse: number[];
  normal: number[];
  velocity: number[];
  gap: number[];
  status: number[];
}

/** The state of all bodies that move or are driven, at one time. */
export interface BodyFrame {
  time: number;
  position: Float32Array;
  orientation: Float32Array;
  velocity: Float32Array;
  deformation: Float32Array | null;
  vertices: Float32Array | null;
  stress: Float32Array | null;
}

export interface ContactFrame {
  count: number;
  body: Int32Array;
  key: Uint32Array;
  point: Float32Array;
  normal: Float32Array;
  impulse: Float32Array;
  velocity: Float32Array;
  gap: Float32Array;
  work: Float32Array;
  area: Float32Array;
  friction: Float32Array;
  status: Float32Array;
}

/** Some frames that came in one answer. */
export interface Block<Frame> {
  first: number;
  frames: Frame[];
  bytes: number;
}

export function parse_bodies(buffer: ArrayBuffer): Block<BodyFrame> {
  const [count, first, bodies, flags] = new Uint32Array(buffer, 0, 4);
  const times = new Float64Array(buffer, 16, count);
  let at = 16 + 8 * count;
  const floats = (size: number) => {
    const view = new Float32Array(buffer, at, size);
    at += 4 * size;
    return view;
  };
  // Vertices of their own fill what is left.
  const fixed = bodies * (flags & 1 ? 22 : 13);
  const vertices = count > 0 && flags & 2 ? ((buffer.byteLength - at) / 4 / count - fixed) / 4 : 0;
  const frames: BodyFrame[] = [];
  for (let k = 0; k < count; ++k)
    frames.push({
      time: times[k],
      position: floats(3 * bodies),
      orientation: floats(4 * bodies),
      velocity: floats(6 * bodies),
      deformation: flags & 1 ? floats(9 * bodies) : null,
      vertices: flags & 2 ? floats(3 * vertices) : null,
      stress: flags & 2 ? floats(vertices) : null,
    });
  return {first, frames, bytes: buffer.byteLength};
}

export function parse_contacts(buffer: ArrayBuffer): Block<ContactFrame> {
  const [frame_count, first] = new Uint32Array(buffer, 0, 4);
  const counts = new Uint32Array(buffer, 16, frame_count);
  let at = 16 + 4 * frame_count;
  const frames: ContactFrame[] = [];
  for (const n of counts) {
    const floats = (width: number) => {
      const view = new Float32Array(buffer, at, width * n);
      at += 4 * width * n;
      return view;
    };
    const body = new Int32Array(buffer, at, 2 * n);
    at += 8 * n;
    const key = new Uint32Array(buffer, at, 2 * n);
    at += 8 * n;
    frames.push({
      count: n,
      body,
      key,
      point: floats(3),
      normal: floats(3),
      impulse: floats(3),
      velocity: floats(3),
      gap: floats(1),
      work: floats(1),
      area: floats(1),
      friction: floats(1),
      status: floats(1),
    });
  }
  return {first, frames, bytes: buffer.byteLength};
}

/** Where a record comes from. */
export interface RunSource {
  readonly live: boolean;
  readonly left_out: string;
  info(): Promise<RecordInfo>;
  /** The times of frames that were added behind the first `known`. */
  progress(known: number): Promise<{records: number; time: number[]}>;
  bodies(first: number, count: number): Promise<Block<BodyFrame>>;
  contacts(first: number, count: number): Promise<Block<ContactFrame>>;
  steps(points: number): Promise<StepColumns>;
  body_history(body: number, points: number): Promise<BodyHistory>;
  contact_history(key: bigint, points: number): Promise<ContactHistory>;
}

export interface ProblemData {
  info(): Promise<ProblemInfo>;
  solve(): Promise<SolveState>;
}

async function ask(path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error('stickslip does not answer any more. Was it stopped?');
  }
  if (answer.ok) return answer;
  const {message} = (await answer.json().catch(() => ({}))) as {message?: string};
  throw new Error(message ?? `the server answered ${answer.status}`);
}

export async function list_items(): Promise<Item[]> {
  return ((await (await ask('/api/items')).json()) as {items: Item[]}).items;
}

export class ServedRun implements RunSource {
  readonly live = true;
  readonly left_out = '';
  constructor(private readonly item: number) {}

  private async json<T>(word: string): Promise<T> {
    return (await (await ask(`/api/${this.item}/${word}`)).json()) as T;
  }
  private async bytes(word: string): Promise<ArrayBuffer> {
    return (await ask(`/api/${this.item}/${word}`)).arrayBuffer();
  }
  info = () => this.json<RecordInfo>('info');
  progress = (known: number) => this.json<{records: number; time: number[]}>(`progress?first=${known}`);
  bodies = async (first: number, count: number) =>
    parse_bodies(await this.bytes(`bodies?first=${first}&count=${count}`));
  contacts = async (first: number, count: number) =>
    parse_contacts(await this.bytes(`contacts?first=${first}&count=${count}`));
  steps = (points: number) => this.json<StepColumns>(`steps?points=${points}`);
  body_history = (body: number, points: number) => this.json<BodyHistory>(`body?index=${body}&points=${points}`);
  contact_history = (key: bigint, points: number) => this.json<ContactHistory>(`contact?key=${key}&points=${points}`);
}

export class ServedProblem implements ProblemData {
  constructor(private readonly item: number) {}
  info = async () => (await (await ask(`/api/${this.item}/info`)).json()) as ProblemInfo;
  solve = async () => (await (await ask(`/api/${this.item}/solve`)).json()) as SolveState;
}

export function key_of(frame: ContactFrame, contact: number): bigint {
  return (BigInt(frame.key[2 * contact + 1]) << 32n) | BigInt(frame.key[2 * contact]);
}
