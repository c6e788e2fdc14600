// Contacts: points, arrows of force, force chains.
import {MappedBatch, SphereBatch} from './batches.ts';
import type {BodyFrame, ContactFrame, RecordInfo} from './data.ts';
import {chain_colours, rgb, scale, status_colours, type Mode} from './palette.ts';
import type {Stage} from './stage.ts';
import {unit_arrow, unit_tube} from './unit_shapes.ts';

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

export class ContactLayer {
  scale: ForceScale = {largest: 0, mean: 0, length: 0};
  shown = 0;
  private readonly points: SphereBatch;
  private readonly arrows: MappedBatch;
  private readonly chains: MappedBatch;
  /** m: about the size of a body. */
  private readonly body_size: number;
  private largest_seen = 0;

  constructor(
    private readonly info: RecordInfo,
    stage: Stage,
    private readonly first_label: number,
  ) {
    this.points = new SphereBatch(stage.over_uniforms);
    this.arrows = new MappedBatch(stage.over_uniforms, unit_arrow());
    this.chains = new MappedBatch(stage.over_uniforms, unit_tube());
    for (const batch of [this.chains, this.arrows, this.points]) stage.add(batch.drawing, 'contacts');
    let volume = 0;
    for (let b = 0; b < info.moving; ++b) volume += info.bodies.volume[b];
    this.body_size = Math.cbrt(volume / Math.max(1, info.moving));
  }

  clear() {
    for (const batch of [this.points, this.arrows, this.chains]) {
      batch.begin(0);
      batch.end(0);
    }
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
    if (sorted.length > 0) this.largest_seen = Math.max(this.largest_seen, sorted[Math.floor(0.95 * (sorted.length - 1))]);
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

  private paint(to: SphereBatch | MappedBatch, n: number, contacts: ContactFrame, c: number, colours: number[][], chosen: number) {
    // The closer to the edge of the cone, the stronger.
    const opacity = contacts.status[c] === 0 ? 120 : Math.round(255 * (0.45 + 0.55 * cone_usage(contacts, c)));
    if (c === chosen) to.paint(n, [230, 0, 122], 0, 255, this.first_label + c);
    else to.paint(n, colours[contacts.status[c]], 0, opacity, this.first_label + c);
  }

  private fill_points(contacts: ContactFrame, visible: Uint8Array, choice: ContactChoice, colours: number[][], chosen: number) {
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
    let n = 0;
    for (let c = 0; c < count; ++c) {
      if (!visible[c] || !(forces[c] > 0)) continue;
      const size = forces[c] * this.info.step;
      const l = length * share(forces[c]);
      const r = Math.min(0.045 * length, 0.2 * l);
      const {impulse, point} = contacts;
      const turn = towards(impulse[3 * c] / size, impulse[3 * c + 1] / size, impulse[3 * c + 2] / size);
      arrows.place(n, turn, r, r, l, point[3 * c], point[3 * c + 1], point[3 * c + 2]);
      this.paint(arrows, n, contacts, c, colours, chosen);
      ++n;
    }
    arrows.end(n);
    arrows.drawing.pick.userData.hidden = n === 0;
  }

  /** The points of two bodies together are one link: from one centre to where the force passes, to the other centre. */
  private fill_chains(
    frame: BodyFrame,
    contacts: ContactFrame,
    visible: Uint8Array,
    choice: ContactChoice,
    mode: Mode,
    share: (force: number) => number,
  ) {
    const {chains} = this;
    const links = new Map<number, {a: number; b: number; force: number[]; point: number[]; weight: number; c: number}>();
    const span = this.info.moving + 1;
    for (let c = 0; choice.chains && c < contacts.count; ++c) {
      if (!visible[c]) continue;
      const [a, b] = [contacts.body[2 * c], contacts.body[2 * c + 1]];
      const key = (a + 1) * span + b + 1;
      // Contacts with obstacles are links of their own: there is no telling which one it is.
      const id = a < 0 || b < 0 ? -(c + 1) : key;
      let link = links.get(id);
      if (!link) links.set(id, (link = {a, b, force: [0, 0, 0], point: [0, 0, 0], weight: 0, c}));
      const weight = Math.hypot(contacts.impulse[3 * c], contacts.impulse[3 * c + 1], contacts.impulse[3 * c + 2]);
      for (let i = 0; i < 3; ++i) {
        link.force[i] += contacts.impulse[3 * c + i] / this.info.step;
        link.point[i] += weight * contacts.point[3 * c + i];
      }
      link.weight += weight;
    }
    let mean = 0;
    let loaded = 0;
    for (const {force} of links.values()) {
      const size = Math.hypot(...force);
      if (size > 0) {
        mean += size;
        ++loaded;
      }
    }
    mean /= Math.max(1, loaded);
    chains.begin(2 * links.size);
    const plain = rgb(chain_colours[mode]);
    let n = 0;
    for (const link of links.values()) {
      const size = Math.hypot(...link.force);
      if (!(size > choice.chain_threshold * mean) || link.weight === 0) continue;
      const middle = link.point.map((x) => x / link.weight);
      const radius = 0.17 * this.body_size * choice.size * share(size);
      for (const end of [link.a, link.b]) {
        if (end < 0) continue;
        const d = [0, 1, 2].map((i) => middle[i] - frame.position[3 * end + i]);
        const l = Math.hypot(...d);
        if (!(l > 0)) continue;
        const turn = towards(d[0] / l, d[1] / l, d[2] / l);
        const from = (i: number) => frame.position[3 * end + i] + d[i] / 2;
        chains.place(n, turn, radius, radius, l / 2, from(0), from(1), from(2));
        const label = this.first_label + link.c;
        if (choice.chain_scale) chains.paint(n, scale, 3 * Math.round(255 * Math.min(1, share(size))), 255, label);
        else chains.paint(n, plain, 0, 255, label);
        ++n;
      }
    }
    chains.end(n);
    chains.drawing.pick.userData.hidden = n === 0;
  }
}
