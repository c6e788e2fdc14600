// Contacts: points, arrows of force, force chains.
import {Box3, Vector3} from 'three';
import {LinkBatch, MappedBatch, SphereBatch} from './batches.ts';
import type {BodyFrame, ContactFrame, RecordInfo} from './data.ts';
import {chain_colours, rgb, scale, status_colours, type Mode} from './palette.ts';
import type {Stage} from './stage.ts';
import {unit_arrow} from './unit_shapes.ts';

export interface ContactChoice {
  points: boolean;
  arrows: boolean;
  chains: boolean;
  /** Lengths of arrows and thickness of chains: with the root of the force, or with the force itself. */
  linear: boolean;
  /** Statuses that are shown: open, stick, slip. */
  statuses: [boolean, boolean, boolean];
  /** N: weaker contacts are not shown. */
  least_force: number;
  /** Chains carry more than so many times the mean force. */
  chain_threshold: number;
  /** Factor on all sizes. */
  size: number;
  /** Chains by their force instead of one colour. */
  chain_scale: boolean;
}

/** What a picture of forces is measured by; the legend says it. */
export interface ForceScale {
  /** N: the force of an arrow of this length; stronger ones are at most twice as long. */
  largest: number;
  /** N, of contacts that carry anything. */
  mean: number;
  /** m */
  length: number;
}

/** ‖r_T‖/(μ r_N): 1 at the edge of the cone. */
export function cone_usage(frame: ContactFrame, c: number): number {
  const {impulse, normal} = frame;
  let along = 0;
  let square = 0;
  for (let i = 0; i < 3; ++i) {
    along += impulse[3 * c + i] * normal[3 * c + i];
    square += impulse[3 * c + i] ** 2;
  }
  const limit = frame.friction[c] * along;
  const tangent = Math.sqrt(Math.max(0, square - along * along));
  return limit > 0 ? Math.min(1, tangent / limit) : 0;
}

export function force_of(info: RecordInfo, frame: ContactFrame, c: number): number {
  return Math.hypot(frame.impulse[3 * c], frame.impulse[3 * c + 1], frame.impulse[3 * c + 2]) / info.step;
}

const columns = new Float32Array(9);
/** The rotation that takes z to the unit vector d, by columns, without a jump but at one point (Duff and others 2017). */
function towards(x: number, y: number, z: number): Float32Array {
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  columns.set([1 + sign * x * x * a, sign * b, -sign * x, b, sign + y * y * a, -y, x, y, z]);
  return columns;
}

/** Half the thickness of boxes, cylinders and the like that move, in the mean; ∞ where there are none. */
function thinnest(info: RecordInfo): number {
  let [sum, count] = [0, 0];
  for (const kind of ['sphere', 'ellipsoid', 'capsule', 'cylinder', 'box'] as const) {
    const parts = info.parts[kind];
    parts?.body.forEach((body, k) => {
      if (body >= info.moving) return;
      sum += Math.min(...parts.size.slice(3 * k, 3 * k + 3).filter((size) => size > 0));
      ++count;
    });
  }
  return count > 0 ? sum / count : Infinity;
}

export class ContactLayer {
  scale: ForceScale = {largest: 0, mean: 0, length: 0};
  shown = 0;
  private readonly points: SphereBatch;
  private readonly arrows: MappedBatch;
  private readonly chains: LinkBatch;
  /** m: about the size of a body. */
  private readonly body_size: number;
  /** m: of the strongest chain. Thin bodies have thin ones. */
  private readonly chain_radius: number;
  private largest_seen = 0;
  /** Where the arrows end. */
  readonly tips = new Box3();

  constructor(
    private readonly info: RecordInfo,
    stage: Stage,
    private readonly first_label: number,
  ) {
    this.points = new SphereBatch(stage.over_uniforms);
    this.arrows = new MappedBatch(stage.over_uniforms, unit_arrow());
    this.chains = new LinkBatch(stage.over_uniforms);
    for (const batch of [this.chains, this.arrows, this.points]) stage.add(batch.drawing, 'contacts');
    let volume = 0;
    for (let b = 0; b < info.moving; ++b) volume += info.bodies.volume[b];
    this.body_size = Math.cbrt(volume / Math.max(1, info.moving));
    this.chain_radius = 0.15 * Math.min(this.body_size, 2.5 * thinnest(info));
  }

  clear() {
    for (const batch of [this.points, this.arrows, this.chains]) {
      batch.begin(0);
      batch.end(0);
    }
    this.tips.makeEmpty();
    this.shown = 0;
  }

  update(
    frame: BodyFrame,
    contacts: ContactFrame,
    choice: ContactChoice,
    mode: Mode,
    chosen: number,
    hidden: Uint8Array,
  ) {
    const n = contacts.count;
    const forces = new Float32Array(n);
    let sum = 0;
    let loaded = 0;
    for (let c = 0; c < n; ++c) {
      forces[c] = force_of(this.info, contacts, c);
      if (forces[c] <= 0) continue;
      sum += forces[c];
      ++loaded;
    }
    // The scale is that of all but the five hundredths of the strongest, which would make all others too short. It grows with what was seen, so that
    // arrows of two times can be compared.
    const sorted = forces.filter((force) => force > 0).sort();
    if (sorted.length > 0)
      this.largest_seen = Math.max(this.largest_seen, sorted[Math.ceil(0.95 * (sorted.length - 1))]);
    const mean = loaded > 0 ? sum / loaded : 0;
    const length = 1.6 * this.body_size * choice.size;
    this.scale = {largest: this.largest_seen, mean, length};
    const share = (force: number) => {
      const x = this.largest_seen > 0 ? Math.min(4, force / this.largest_seen) : 0;
      return choice.linear ? x : Math.sqrt(x);
    };
    const visible = new Uint8Array(n);
    this.shown = 0;
    for (let c = 0; c < n; ++c) {
      const [a, b] = [contacts.body[2 * c], contacts.body[2 * c + 1]];
      const gone = (a >= 0 && hidden[a]) || (b >= 0 && hidden[b]);
      visible[c] = choice.statuses[contacts.status[c]] && forces[c] >= choice.least_force && !gone ? 1 : 0;
      this.shown += visible[c];
    }
    const colours = status_colours[mode].map(rgb);
    this.fill_points(contacts, visible, choice, colours, chosen);
    this.fill_arrows(contacts, visible, forces, choice, colours, share, length, chosen);
    this.fill_chains(frame, contacts, visible, choice, mode, share);
  }

  private paint(
    to: SphereBatch | MappedBatch,
    n: number,
    contacts: ContactFrame,
    c: number,
    colours: number[][],
    chosen: number,
  ) {
    // The closer to the edge of the cone, the stronger.
    const opacity = contacts.status[c] === 0 ? 120 : Math.round(255 * (0.45 + 0.55 * cone_usage(contacts, c)));
    if (c === chosen) to.paint(n, [230, 0, 122], 0, 255, this.first_label + c);
    else to.paint(n, colours[contacts.status[c]], 0, opacity, this.first_label + c);
  }

  private fill_points(
    contacts: ContactFrame,
    visible: Uint8Array,
    choice: ContactChoice,
    colours: number[][],
    chosen: number,
  ) {
    const {points} = this;
    const count = choice.points ? contacts.count : 0;
    points.begin(count);
    const radius = 0.08 * this.body_size * choice.size;
    let n = 0;
    for (let c = 0; c < count; ++c) {
      if (!visible[c]) continue;
      for (let i = 0; i < 3; ++i) points.data[8 * n + i] = contacts.point[3 * c + i];
      points.data[8 * n + 3] = c === chosen ? 1.6 * radius : radius;
      this.paint(points, n, contacts, c, colours, chosen);
      ++n;
    }
    points.end(n);
    points.drawing.pick.userData.hidden = n === 0;
  }

  private fill_arrows(
    contacts: ContactFrame,
    visible: Uint8Array,
    forces: Float32Array,
    choice: ContactChoice,
    colours: number[][],
    share: (force: number) => number,
    length: number,
    chosen: number,
  ) {
    const {arrows} = this;
    const count = choice.arrows ? contacts.count : 0;
    arrows.begin(count);
    this.tips.makeEmpty();
    const [tip, at] = [new Vector3(), new Vector3()];
    let n = 0;
    for (let c = 0; c < count; ++c) {
      if (!visible[c] || !(forces[c] > 0)) continue;
      const size = forces[c] * this.info.step;
      const l = length * share(forces[c]);
      const r = Math.min(0.045 * length, 0.2 * l);
      const {impulse, point} = contacts;
      const turn = towards(impulse[3 * c] / size, impulse[3 * c + 1] / size, impulse[3 * c + 2] / size);
      arrows.place(n, turn, r, r, l, point[3 * c], point[3 * c + 1], point[3 * c + 2]);
      this.tips.expandByPoint(
        tip
          .set(turn[6], turn[7], turn[8])
          .multiplyScalar(l)
          .add(at.fromArray(point, 3 * c)),
      );
      this.paint(arrows, n, contacts, c, colours, chosen);
      ++n;
    }
    arrows.end(n);
    arrows.drawing.pick.userData.hidden = n === 0;
  }

  /** The points of two bodies together are one link: from one body to where the force passes, to the other body. */
  private fill_chains(
    frame: BodyFrame,
    contacts: ContactFrame,
    visible: Uint8Array,
    choice: ContactChoice,
    mode: Mode,
    share: (force: number) => number,
  ) {
    const {chains} = this;
    const most = choice.chains ? contacts.count : 0;
    // Links by columns: their first contact, force, where it passes (times its weight), weight.
    const places = new Map<number, number>();
    const first = new Int32Array(most);
    const force = new Float32Array(3 * most);
    const point = new Float32Array(3 * most);
    const weight = new Float32Array(most);
    const span = this.info.moving + 1;
    let links = 0;
    for (let c = 0; c < most; ++c) {
      if (!visible[c]) continue;
      const a = contacts.body[2 * c];
      const b = contacts.body[2 * c + 1];
      // Contacts with obstacles belong together where their normals agree: there is no telling which obstacle it is.
      let pair = (a + 1) * span + b + 1;
      if (a < 0 || b < 0) {
        const n = [0, 1, 2].reduce((code, i) => 16 * code + Math.round(7 + 7 * contacts.normal[3 * c + i]), 0);
        pair = -(4096 * pair + n);
      }
      let link = places.get(pair);
      if (link === undefined) {
        link = links++;
        first[link] = c;
        places.set(pair, link);
      }
      const {impulse} = contacts;
      const size = Math.hypot(impulse[3 * c], impulse[3 * c + 1], impulse[3 * c + 2]);
      for (let i = 0; i < 3; ++i) {
        force[3 * link + i] += impulse[3 * c + i] / this.info.step;
        point[3 * link + i] += size * contacts.point[3 * c + i];
      }
      weight[link] += size;
    }
    const sizes = new Float32Array(links);
    let mean = 0;
    let loaded = 0;
    for (let k = 0; k < links; ++k) {
      sizes[k] = Math.hypot(force[3 * k], force[3 * k + 1], force[3 * k + 2]);
      mean += sizes[k];
      if (sizes[k] > 0) ++loaded;
    }
    mean /= Math.max(1, loaded);
    // Where links of a body meet: at its centre, or, where it has two, half way between them: so the thrust in an arch is a line.
    const strong = (k: number) => sizes[k] > choice.chain_threshold * mean && weight[k] > 0;
    const hub = frame.position.slice(0, 3 * this.info.moving);
    const degree = new Uint8Array(this.info.moving);
    const sum = new Float32Array(3 * this.info.moving);
    for (let k = 0; k < links; ++k)
      for (let side = 0; side < 2 && strong(k); ++side) {
        const b = contacts.body[2 * first[k] + side];
        if (b < 0 || degree[b] > 2) continue;
        ++degree[b];
        for (let i = 0; i < 3; ++i) sum[3 * b + i] += point[3 * k + i] / weight[k] / 2;
      }
    for (let b = 0; b < degree.length; ++b)
      if (degree[b] === 2) for (let i = 0; i < 3; ++i) hub[3 * b + i] = sum[3 * b + i];
    chains.begin(2 * links);
    const plain = rgb(chain_colours[mode]);
    let n = 0;
    for (let k = 0; k < links; ++k) {
      if (!strong(k)) continue;
      const part = share(sizes[k]);
      for (let side = 0; side < 2; ++side) {
        const end = contacts.body[2 * first[k] + side];
        if (end < 0) continue;
        for (let i = 0; i < 3; ++i) {
          chains.data[8 * n + i] = hub[3 * end + i];
          chains.data[8 * n + 4 + i] = point[3 * k + i] / weight[k];
        }
        chains.data[8 * n + 3] = this.chain_radius * choice.size * part;
        const label = this.first_label + first[k];
        if (choice.chain_scale) chains.paint(n, scale, 3 * Math.round(255 * Math.min(1, part)), 255, label);
        else chains.paint(n, plain, 0, 255, label);
        ++n;
      }
    }
    chains.end(n);
    chains.drawing.pick.userData.hidden = n === 0;
  }
}
