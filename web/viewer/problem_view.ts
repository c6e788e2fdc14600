// The page of a contact problem: contacts as nodes, couplings as edges, islands apart; and how a solve converges.
import {BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Vector3} from 'three';
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {SphereBatch} from './batches.ts';
import type {Choices} from './choices.ts';
import {button, check, section, select, slider} from './controls.ts';
import type {Point, ProblemData, ProblemInfo, SolveState} from './data.ts';
import {scale_legend, status_legend} from './legend.ts';
import {tell_trouble} from './messages.ts';
import {
  chosen_colour,
  group_colours,
  ground_colours,
  rgb,
  scale,
  status_colours,
  status_names,
  type Mode,
} from './palette.ts';
import {Plot} from './plot.ts';
import {Stage} from './stage.ts';

type NodeColour = 'status' | 'error' | 'impulse' | 'friction' | 'island';

export class ProblemView {
  readonly stage: Stage;
  private readonly nodes: SphereBatch;
  private readonly edges: LineSegments;
  private colour: NodeColour = 'status';
  private islands = false;
  private size = 1;
  private chosen = -1;
  private point: Point | null;
  private state: SolveState | null = null;
  private readonly convergence = new Plot('convergence: error over time');
  private readonly by_iteration = new Plot('error over iterations', undefined, '');
  /** Of islands: middle and number of contacts. */
  private readonly middles: {x: number[]; count: number}[] = [];

  constructor(
    readonly info: ProblemInfo,
    readonly source: ProblemData,
    readonly choices: Choices,
  ) {
    const canvas = by_id<HTMLCanvasElement>('canvas');
    canvas.setAttribute(
      'aria-label',
      `Graph of ${info.contacts} contacts in ${info.islands} islands. Arrow keys turn, plus and minus zoom, brackets choose contacts.`,
    );
    this.stage = new Stage(canvas, new Vector3(0, 1, 0));
    this.point = info.point ?? null;
    this.nodes = new SphereBatch({...this.stage.uniforms, marked: {value: 0}});
    this.stage.add(this.nodes.drawing, 'bodies');
    for (let i = 0; i < info.islands; ++i) this.middles.push({x: [0, 0, 0], count: 0});
    info.island.forEach((island, c) => {
      const middle = this.middles[island];
      for (let i = 0; i < 3; ++i) middle.x[i] += info.position[3 * c + i];
      ++middle.count;
    });
    for (const middle of this.middles) middle.x = middle.x.map((x) => x / middle.count);
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    for (let c = 0; c < info.contacts; ++c) {
      const x = new Vector3().fromArray(info.position, 3 * c);
      low.min(x);
      high.max(x);
    }
    this.stage.set_bounds(low.addScalar(-0.4), high.addScalar(0.4));
    this.edges = this.make_edges();
    this.stage.still = choices.picture;
    this.stage.mode = choices.mode;
    this.stage.picked = (label) => this.choose(label - 1);
    // x and y of a graph are its two longest directions; y is up.
    this.stage.fit_all('front', 0);
    this.stage.eye.distance /= choices.zoom;
    this.stage.eye.orthographic = choices.orthographic;
    this.build_side();
    by_id('panel-copy').hidden = true;
    by_id('panel-close').addEventListener('click', () => this.choose(-1));
    by_id('panel-fly').addEventListener('click', () => this.fly());
    if (!choices.picture) by_id('plots').append(this.convergence.element, this.by_iteration.element);
    this.update();
    void this.follow();
  }

  private make_edges(): LineSegments {
    const {edges, position} = this.info;
    const points = new Float32Array(3 * edges.length);
    edges.forEach((node, k) => {
      for (let i = 0; i < 3; ++i) points[3 * k + i] = position[3 * node + i];
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(points, 3));
    const lines = new LineSegments(geometry, new LineBasicMaterial({transparent: true, depthWrite: false}));
    lines.frustumCulled = false;
    this.stage.grid.add(lines);
    return lines;
  }

  /** What nodes are coloured by; null where it is not a number. */
  private values(): {title: string; unit: string; values: number[]} | null {
    const {info, point} = this;
    const d = info.dimension;
    if (this.colour === 'friction') return {title: 'friction coefficient μ', unit: '', values: info.mu};
    if (!point) return null;
    if (this.colour === 'error') {
      // Powers of ten: errors of contacts spread over many of them.
      return {
        title: 'error of the contact, power of ten',
        unit: '',
        values: point.errors.map((e) => Math.log10(Math.max(e, 1e-20))),
      };
    }
    if (this.colour === 'impulse') {
      const values = info.mu.map((_, c) => Math.sqrt(Math.hypot(...point.r.slice(d * c, d * c + d))));
      return {title: '√impulse', unit: '', values};
    }
    return null;
  }

  private update() {
    const {info, nodes, choices} = this;
    const {mode} = choices;
    const count = this.islands ? info.islands : info.contacts;
    nodes.begin(count);
    const statuses = status_colours[mode].map(rgb);
    const palette = group_colours[mode].map(rgb);
    const shown = this.islands ? null : this.values();
    let [low, high] = [Infinity, -Infinity];
    for (const value of shown?.values ?? []) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    for (let k = 0; k < count; ++k) {
      const from = this.islands ? this.middles[k].x : info.position;
      const at = this.islands ? 0 : 3 * k;
      for (let i = 0; i < 3; ++i) nodes.data[8 * k + i] = from[at + i];
      nodes.data[8 * k + 3] = this.size * (this.islands ? 0.5 * Math.cbrt(this.middles[k].count) : 0.24);
      let colour: ArrayLike<number> = palette[(this.islands ? k : info.island[k]) % palette.length];
      if (k === this.chosen) colour = rgb(chosen_colour[mode]);
      else if (shown && high > low) {
        const s = 3 * Math.round((255 * (shown.values[k] - low)) / (high - low));
        colour = scale.subarray(s, s + 3);
      } else if (!this.islands && this.colour === 'status') colour = statuses[this.point ? this.point.status[k] : 0];
      nodes.paint(k, colour, 0, 255, k + 1);
    }
    nodes.end(count);
    this.edges.visible = !this.islands;
    const [r, g, b] = rgb(ground_colours[mode]).map((x) => x / 255);
    const ink = mode === 'light' ? 0 : 1;
    const share = Math.max(0.1, Math.min(0.45, 3000 / Math.max(1, info.edges.length)));
    (this.edges.material as LineBasicMaterial).color.setRGB(
      r + share * (ink - r),
      g + share * (ink - g),
      b + share * (ink - b),
      'srgb-linear',
    );
    const parts: HTMLElement[] = [];
    if (choices.picture)
      parts.push(element('div', {}, `${info.title || info.name}: ${format.count(info.contacts)} contacts`));
    if (shown && high > low) parts.push(scale_legend(shown.title, shown.unit, low, high));
    else if (!this.islands && this.colour === 'status' && this.point) {
      const counts = [0, 0, 0];
      for (const status of this.point.status) ++counts[status];
      parts.push(status_legend(mode, counts));
    }
    by_id('legend').replaceChildren(...parts);
    this.tell_chosen();
    this.stage.draw();
  }

  private choose(node: number) {
    this.chosen = node;
    by_id('panel').hidden = node < 0;
    this.update();
  }
  next_body(by: number) {
    const count = this.islands ? this.info.islands : this.info.contacts;
    this.choose((this.chosen + by + count) % count);
  }
  clear_selection() {
    this.choose(-1);
  }
  fly() {
    if (this.chosen < 0) return this.stage.fit_all();
    const from = this.islands ? this.middles[this.chosen].x : this.info.position.slice(3 * this.chosen);
    this.stage.fit(4, new Vector3().fromArray(from));
  }

  private tell_chosen() {
    const {chosen, info, point} = this;
    if (chosen < 0) return;
    const rows: [string, string][] = [];
    if (this.islands) {
      by_id('panel-title').textContent = `island ${chosen}`;
      rows.push(['contacts', format.count(this.middles[chosen].count)]);
    } else {
      by_id('panel-title').textContent = `contact ${chosen}`;
      const d = info.dimension;
      const vector = (values: number[]) =>
        `(${values
          .slice(d * chosen, d * chosen + d)
          .map((x) => format.number(x))
          .join(', ')})`;
      rows.push(['island', format.count(info.island[chosen])], ['μ', format.number(info.mu[chosen])]);
      let degree = 0;
      for (const end of info.edges) if (end === chosen) ++degree;
      rows.push(['couplings', format.count(degree)]);
      if (point)
        rows.push(
          ['status', status_names[point.status[chosen]]],
          ['impulse r', vector(point.r)],
          ['velocity u', vector(point.u)],
          ['error', format.number(point.errors[chosen])],
          ['from', point.source],
        );
    }
    by_id('panel-facts').replaceChildren(
      ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
  }

  private build_side() {
    const {info, choices} = this;
    const facts: [string, string][] = [
      ['form', info.form],
      ['contacts', format.count(info.contacts)],
      ['dimension', String(info.dimension)],
      ['islands', format.count(info.islands)],
      ['couplings', format.count(info.couplings)],
      ['friction', format.range(info.mu)],
    ];
    if (info.edges.length < 2 * info.couplings)
      facts.push(['drawn', `the ${format.count(info.edges.length / 2)} strongest couplings`]);
    by_id('side').append(
      section(
        'Problem',
        ...(info.description ? [element('p', {}, info.description)] : []),
        element(
          'dl',
          {class: 'facts'},
          ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
        ),
      ),
      section('Solve', element('dl', {class: 'facts', id: 'solve'})),
      section(
        'Graph',
        select<NodeColour>(
          'colour',
          [
            ['status', 'status'],
            ['error', 'error'],
            ['impulse', 'impulse'],
            ['friction', 'friction'],
            ['island', 'island'],
          ],
          this.colour,
          (colour) => {
            this.colour = colour;
            this.update();
          },
        ).row,
        slider(
          'size',
          {min: -1, max: 1, step: 0.05, value: 0},
          (value) => `${format.number(10 ** value, 2)} ×`,
          (value) => {
            this.size = 10 ** value;
            this.update();
          },
        ).row,
        check('islands as nodes', false, (on) => {
          this.islands = on;
          this.choose(-1);
        }).label,
        check(
          'without perspective',
          choices.orthographic,
          (on) => {
            this.stage.eye.orthographic = on;
            this.stage.draw();
          },
          {key: 'O'},
        ).label,
        element(
          'div',
          {class: 'views'},
          button('all', 'show everything (F)', () => this.stage.fit_all()),
        ),
      ),
    );
  }

  set_mode(mode: Mode) {
    this.choices.mode = mode;
    this.stage.mode = mode;
    this.show_solve();
    this.update();
  }

  /** Asks how the solve goes until it is done. */
  private async follow() {
    for (;;) {
      try {
        this.state = await this.source.solve();
      } catch (error) {
        tell_trouble((error as Error).message);
        return;
      }
      this.show_solve();
      if (this.state.done) break;
      await new Promise((done) => setTimeout(done, 400));
    }
    if (this.state.point) this.point = this.state.point;
    this.update();
    document.documentElement.dataset.ready = 'true';
  }
  private show_solve() {
    const {state} = this;
    if (!state) return;
    const error = {name: 'error', colour: '#d55e00', values: state.history};
    this.convergence.show({x: state.seconds, lines: [error], unit: '', log: true});
    this.by_iteration.show({x: state.iteration, lines: [error], unit: '', log: true});
    const rows: [string, string][] = [['status', state.done ? (state.status ?? '').replaceAll('_', ' ') : 'solving …']];
    if (state.done) {
      if (state.solver) rows.push(['solver', `${state.solver}${state.stage ? `, ${state.stage}` : ''}`]);
      if (state.error !== undefined)
        rows.push(['error', `${format.number(state.error)}, tolerance ${format.power(this.info.tolerance)}`]);
      if (state.iterations !== undefined) rows.push(['iterations', format.count(state.iterations)]);
      if (state.message) rows.push(['message', state.message]);
    }
    document
      .getElementById('solve')
      ?.replaceChildren(...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }
}
