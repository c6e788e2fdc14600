// The panel of what was picked: values with units, history, CSV.
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {kinetic_of, pressures, speed_of} from './body_values.ts';
import {cone_usage, force_of} from './contact_layer.ts';
import {key_of, type BodyFrame, type ContactFrame, type RecordInfo, type RunSource} from './data.ts';
import {von_mises} from './linear.ts';
import {status_names} from './palette.ts';
import {Plot, type PlotData} from './plot.ts';

export type Chosen = {kind: 'body'; body: number} | {kind: 'contact'; key: bigint} | null;

const three = (values: ArrayLike<number>, at: number) =>
  `(${[0, 1, 2].map((i) => format.number(values[at + i])).join(', ')})`;

/** Rows of a table as text with commas. */
export function csv(columns: Record<string, ArrayLike<number>>): string {
  const names = Object.keys(columns);
  const rows = [names.join(',')];
  for (let k = 0; k < columns[names[0]].length; ++k) rows.push(names.map((name) => columns[name][k]).join(','));
  return `${rows.join('\n')}\n`;
}

export class Selection {
  chosen: Chosen = null;
  changed: () => void = () => {};
  fly: () => void = () => {};
  private readonly panel = by_id('panel');
  private readonly facts = by_id('panel-facts');
  private readonly plot = new Plot('');
  private table: Record<string, ArrayLike<number>> = {};

  constructor(
    private readonly info: RecordInfo,
    private readonly source: RunSource,
  ) {
    by_id('panel-plot').append(this.plot.element);
    by_id('panel-close').addEventListener('click', () => this.choose(null));
    by_id('panel-fly').addEventListener('click', () => this.fly());
    by_id('panel-copy').addEventListener('click', () => void this.copy());
  }

  choose(chosen: Chosen) {
    this.chosen = chosen;
    this.panel.hidden = chosen === null;
    document.body.classList.toggle('with-panel', chosen !== null);
    this.table = {};
    by_id('panel-plot').hidden = true;
    by_id('panel-copy').textContent = 'Copy as CSV';
    this.changed();
    if (chosen) void this.load(chosen);
  }

  private async load(chosen: NonNullable<Chosen>) {
    try {
      const data =
        chosen.kind === 'body' ? await this.body_history(chosen.body) : await this.contact_history(chosen.key);
      if (this.chosen !== chosen || !data) return;
      by_id('panel-plot').hidden = false;
      this.plot.show(data);
    } catch {
      // The message of the whole page says what is wrong.
    }
  }
  private async body_history(body: number): Promise<PlotData | null> {
    if (body >= this.info.moving) return null;
    const {time, position, velocity} = await this.source.body_history(body, 300);
    const column = (from: number[], width: number, at: number) => time.map((_, k) => from[width * k + at]);
    const speed = time.map((_, k) => Math.hypot(velocity[6 * k], velocity[6 * k + 1], velocity[6 * k + 2]));
    this.table = {
      'time (s)': time,
      'x (m)': column(position, 3, 0),
      'y (m)': column(position, 3, 1),
      'z (m)': column(position, 3, 2),
      'vx (m/s)': column(velocity, 6, 0),
      'vy (m/s)': column(velocity, 6, 1),
      'vz (m/s)': column(velocity, 6, 2),
      'wx (rad/s)': column(velocity, 6, 3),
      'wy (rad/s)': column(velocity, 6, 4),
      'wz (rad/s)': column(velocity, 6, 5),
    };
    return {title: 'speed', x: time, unit: 'm/s', lines: [{name: 'speed', colour: '#0072b2', values: speed}]};
  }
  private async contact_history(key: bigint): Promise<PlotData | null> {
    const h = await this.source.contact_history(key, 300);
    const size = (from: number[], k: number) => Math.hypot(from[3 * k], from[3 * k + 1], from[3 * k + 2]);
    const {step} = this.info;
    const normal = h.time.map(
      (_, k) => [0, 1, 2].reduce((sum, i) => sum + h.impulse[3 * k + i] * h.normal[3 * k + i], 0) / step,
    );
    const tangent = h.time.map((_, k) => Math.sqrt(Math.max(0, (size(h.impulse, k) / step) ** 2 - normal[k] ** 2)));
    this.table = {
      'time (s)': h.time,
      'normal force (N)': normal,
      'tangential force (N)': tangent,
      'gap (m)': h.gap,
      'relative speed (m/s)': h.time.map((_, k) => size(h.velocity, k)),
      'status (0 open, 1 stick, 2 slip)': h.status,
    };
    if (h.time.length < 2) return null;
    return {
      title: 'force',
      x: h.time,
      unit: 'N',
      lines: [
        {name: 'normal', colour: '#0072b2', values: normal},
        {name: 'tangential', colour: '#d55e00', values: tangent},
      ],
    };
  }

  private async copy() {
    const names = Object.keys(this.table);
    if (names.length === 0) return;
    const text = csv(this.table);
    const button = by_id('panel-copy');
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // Without the right to the clipboard: a file.
      const link = element('a', {
        href: `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`,
        download: 'history.csv',
      });
      link.click();
      button.textContent = 'Saved';
    }
  }

  /** The values at the frame that is shown. */
  update(frame: BodyFrame, contacts: ContactFrame | null, time: number) {
    const {chosen, info} = this;
    if (!chosen) return;
    this.plot.mark(time);
    const rows: [string, string][] = [];
    if (chosen.kind === 'body') {
      const b = chosen.body;
      const {bodies} = info;
      by_id('panel-title').textContent = bodies.name[b];
      rows.push(['kind', bodies.kind[b].replace('_', '-')]);
      if (bodies.material[b]) rows.push(['material', bodies.material[b]]);
      if (b < info.moving) rows.push(['mass', `${format.number(bodies.mass[b])} kg`]);
      if (b < info.moving + info.driven) {
        const place = [0, 1, 2].map((i) => frame.position[3 * b + i] + info.origin[i]);
        rows.push(['position', `${three(place, 0)} m`]);
        rows.push(['velocity', `${three(frame.velocity, 6 * b)} m/s`]);
        rows.push(['speed', `${format.number(speed_of(frame, b))} m/s`]);
        rows.push(['angular velocity', `${three(frame.velocity, 6 * b + 3)} rad/s`]);
      }
      if (b < info.moving) {
        rows.push(['kinetic energy', `≈ ${format.number(kinetic_of(info, frame, b))} J`]);
        if (contacts) {
          const all = new Float32Array(info.moving);
          pressures(info, frame, contacts, all);
          let count = 0;
          for (const one of contacts.body) if (one === b) ++count;
          rows.push(['contacts', format.count(count)], ['pressure', `${format.number(all[b])} Pa`]);
        }
        const {young, poisson} = bodies;
        if (frame.deformation && young[b] !== null && poisson[b] !== null && bodies.kind[b] === 'pseudo_rigid')
          rows.push([
            'von Mises stress',
            `${format.number(von_mises(frame.deformation, 9 * b, young[b], poisson[b]))} Pa`,
          ]);
      }
    } else {
      const c = contacts ? this.find(contacts, chosen.key) : -1;
      by_id('panel-title').textContent = 'contact';
      if (c < 0 || !contacts) rows.push(['now', contacts ? 'not there at this time' : 'loading']);
      else {
        const name = (b: number) => (b < 0 ? 'an obstacle' : info.bodies.name[b]);
        const force = force_of(info, contacts, c);
        let along = 0;
        for (let i = 0; i < 3; ++i) along += (contacts.impulse[3 * c + i] * contacts.normal[3 * c + i]) / info.step;
        const place = [0, 1, 2].map((i) => contacts.point[3 * c + i] + info.origin[i]);
        rows.push(
          ['between', `${name(contacts.body[2 * c])} and ${name(contacts.body[2 * c + 1])}`],
          ['status', status_names[contacts.status[c]]],
          ['force', `${format.number(force)} N`],
          ['normal', `${format.number(along)} N`],
          ['tangential', `${format.number(Math.sqrt(Math.max(0, force * force - along * along)))} N`],
          [
            'cone usage',
            `${format.number(100 * cone_usage(contacts, c))} %, μ = ${format.number(contacts.friction[c])}`,
          ],
          ['gap', `${format.number(contacts.gap[c])} m`],
          ['relative velocity', `${three(contacts.velocity, 3 * c)} m/s`],
          ['work in the step', `${format.number(contacts.work[c])} J`],
          ['point', `${three(place, 0)} m`],
        );
      }
    }
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }

  find(contacts: ContactFrame, key: bigint): number {
    for (let c = 0; c < contacts.count; ++c) if (key_of(contacts, c) === key) return c;
    return -1;
  }
}
