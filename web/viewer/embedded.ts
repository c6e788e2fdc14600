// A page that holds its record or problem itself, as `stickslip view --export` writes it.
import {
  parse_bodies,
  parse_contacts,
  type BodyHistory,
  type ContactHistory,
  type ProblemData,
  type ProblemInfo,
  type RecordInfo,
  type RunSource,
  type SolveState,
  type StepColumns,
} from './data.ts';

/** What an exported page holds. */
export interface Embedded {
  info: RecordInfo | ProblemInfo;
  solve?: SolveState;
  steps?: StepColumns;
  frames?: number[];
  left_out?: string;
  bodies?: string[];
  contacts?: string[];
}

/** The inverse of `packed` in viewer/export_page.cpp: letters, deflated, the four bytes of each word in planes. */
export async function unpack(text: string): Promise<ArrayBuffer> {
  const letters = atob(text);
  const small = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) small[k] = letters.charCodeAt(k);
  const stream = new Blob([small]).stream().pipeThrough(new DecompressionStream('deflate'));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const words = planes.length / 4;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < 4; ++plane)
    for (let k = 0; k < words; ++k) bytes[4 * k + plane] = planes[plane * words + k];
  return bytes.buffer;
}

export class EmbeddedRun implements RunSource {
  readonly live = false;
  readonly left_out: string;
  private readonly record: RecordInfo;

  constructor(private readonly data: Embedded) {
    const all = data.info as RecordInfo;
    this.record = {...all, time: data.frames!.map((frame) => all.time[frame])};
    this.left_out = data.left_out ?? '';
  }
  info = async () => this.record;
  progress = async (known: number) => ({records: this.record.time.length, time: this.record.time.slice(known)});
  bodies = async (first: number) => ({...parse_bodies(await unpack(this.data.bodies![first])), first});
  contacts = async (first: number) => {
    const text = this.data.contacts![first];
    const block = text ? parse_contacts(await unpack(text)) : parse_contacts(new Uint32Array([1, 0, 0, 0, 0]).buffer);
    return {...block, first};
  };
  steps = async () => this.data.steps!;
  async body_history(body: number): Promise<BodyHistory> {
    const history: BodyHistory = {time: [], position: [], velocity: []};
    for (let k = 0; k < this.record.time.length; ++k) {
      const frame = (await this.bodies(k)).frames[0];
      history.time.push(frame.time);
      for (let i = 0; i < 3; ++i) history.position.push(frame.position[3 * body + i] + this.record.origin[i]);
      history.velocity.push(...frame.velocity.subarray(6 * body, 6 * body + 6));
    }
    return history;
  }
  async contact_history(key: bigint): Promise<ContactHistory> {
    const history: ContactHistory = {time: [], impulse: [], normal: [], velocity: [], gap: [], status: []};
    const low = Number(key & 0xffffffffn);
    const high = Number(key >> 32n);
    for (let k = 0; k < this.record.time.length; ++k) {
      const frame = (await this.contacts(k)).frames[0];
      for (let c = 0; c < frame.count; ++c) {
        if (frame.key[2 * c] !== low || frame.key[2 * c + 1] !== high) continue;
        history.time.push(this.record.time[k]);
        history.impulse.push(...frame.impulse.subarray(3 * c, 3 * c + 3));
        history.normal.push(...frame.normal.subarray(3 * c, 3 * c + 3));
        history.velocity.push(...frame.velocity.subarray(3 * c, 3 * c + 3));
        history.gap.push(frame.gap[c]);
        history.status.push(frame.status[c]);
        break;
      }
    }
    return history;
  }
}

export class EmbeddedProblem implements ProblemData {
  constructor(private readonly data: Embedded) {}
  info = async () => this.data.info as ProblemInfo;
  solve = async () => this.data.solve!;
}
