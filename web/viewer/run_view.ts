// The page of a record: picture, controls, time, plots, selection.
import {Vector3} from 'three';
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {BodyLayer} from './body_layer.ts';
import {body_colours, body_values, type BodyColour} from './body_values.ts';
import {see_through, type Choices} from './choices.ts';
import {ContactLayer} from './contact_layer.ts';
import {button, check, section, select, slider, type Check} from './controls.ts';
import {key_of, type BodyFrame, type ContactFrame, type RecordInfo, type RunSource} from './data.ts';
import type {View} from './eye.ts';
import {FrameCache} from './frame_cache.ts';
import {group_bodies, type Groups} from './groups.ts';
import {force_legend, scale_legend, status_legend} from './legend.ts';
import {say, tell_trouble} from './messages.ts';
import {chosen_colour, group_colours, obstacle_colours, rgb, scale, status_colours, status_names} from './palette.ts';
import {Plot} from './plot.ts';
import {Selection} from './selection.ts';
import {Stage} from './stage.ts';
import {Surroundings} from './surroundings.ts';
import {Transport} from './transport.ts';

const megabyte = 1 << 20;

function upward(gravity: number[]): Vector3 {
  const g = new Vector3(-gravity[0], -gravity[1], -gravity[2]);
  return g.length() > 0 ? g.normalize() : new Vector3(0, 0, 1);
}

export class RunView {
  readonly stage: Stage;
  readonly transport: Transport;
  readonly bodies: FrameCache<BodyFrame>;
  readonly contacts: FrameCache<ContactFrame>;
  private readonly layer: BodyLayer;
  private readonly contact_layer: ContactLayer;
  private readonly surroundings: Surroundings;
  private readonly selection: Selection;
  private readonly groups: Groups;
  private readonly hidden_groups = new Set<number>();
  private readonly values: Float32Array;
  private range: [number, number] = [0, 0];
  private frame: BodyFrame | null = null;
  private contact_frame: ContactFrame | null = null;
  private shown = -1;
  private stale = true;
  private wanted = 0;
  private readonly plots: Plot[] = [];
  private readonly checks: Record<string, Check> = {};
  private opacity_slider: ReturnType<typeof slider> | null = null;

  constructor(
    readonly info: RecordInfo,
    readonly source: RunSource,
    readonly choices: Choices,
  ) {
    const canvas = by_id<HTMLCanvasElement>('canvas');
    canvas.setAttribute(
      'aria-label',
      `Bodies of ${info.title || info.name}: ${info.moving} that move. Arrow keys turn, with shift move, plus and minus zoom; comma and full stop step in time; brackets choose bodies.`,
    );
    this.stage = new Stage(canvas, upward(info.gravity));
    this.bodies = new FrameCache((first, count) => source.bodies(first, count), 110 * megabyte);
    this.contacts = new FrameCache((first, count) => source.contacts(first, count), 150 * megabyte);
    this.groups = group_bodies(info);
    this.groups.names.forEach((name, group) => choices.hide.includes(name) && this.hidden_groups.add(group));
    this.layer = new BodyLayer(info, this.stage);
    this.contact_layer = new ContactLayer(info, this.stage, this.layer.count + 1);
    this.values = new Float32Array(info.moving);
    const low = new Vector3(...(info.low as [number, number, number]));
    const high = new Vector3(...(info.high as [number, number, number]));
    this.stage.set_bounds(low, high);
    this.surroundings = new Surroundings(info, this.stage);
    this.transport = new Transport(info.time);
    this.transport.ready = (frame) => this.bodies.peek(frame) !== null;
    this.transport.changed = () => this.stage.draw();
    this.selection = new Selection(info, source);
    this.selection.changed = () => this.refresh();
    this.selection.fly = () => this.fly();
    this.stage.before = (now) => this.before(now);
    this.stage.after = () => this.tell_figures();
    this.stage.picked = (label) => this.picked(label);
    this.build_side();
    void this.build_plots();
    this.apply_all();
    this.first_look();
    if (source.live) window.setInterval(() => void this.follow(), 1500);
  }

  private first_look() {
    const {choices, stage} = this;
    stage.still = choices.picture;
    stage.eye.orthographic = choices.orthographic;
    stage.fit_all(choices.view, 0);
    stage.eye.distance /= choices.zoom;
    stage.eye.azimuth += (choices.turn * Math.PI) / 180;
    if (choices.time < 0) this.transport.go(this.info.time.length - 1);
    else if (choices.time >= 0) this.transport.go_to_time(choices.time);
    if (choices.play) this.transport.toggle();
  }

  get wants_contacts(): boolean {
    const {contact, colour} = this.choices;
    const {chosen} = this.selection;
    return contact.points || contact.arrows || contact.chains || body_colours[colour].contacts || chosen !== null;
  }

  /** Before each picture: the frame of the clock, where it is here; otherwise it is fetched. */
  private before(now: number): boolean {
    this.transport.advance(now);
    const {frame} = this.transport;
    if (frame !== this.shown || this.stale) {
      const bodies = this.bodies.peek(frame);
      const contacts = this.wants_contacts ? this.contacts.peek(frame) : null;
      if (bodies && (contacts || !this.wants_contacts)) this.show(frame, bodies, contacts);
      else this.fetch(frame);
    }
    if (this.transport.playing) {
      this.bodies.prefetch(frame + 1, this.transport.records);
      if (this.wants_contacts) this.contacts.prefetch(frame + 1, this.transport.records);
    }
    return this.transport.playing;
  }

  private fetch(frame: number) {
    const turn = ++this.wanted;
    const all = [this.bodies.get(frame), this.wants_contacts ? this.contacts.get(frame) : null];
    Promise.all(all).then(
      () => {
        if (turn === this.wanted) this.stage.draw();
      },
      (error: Error) => tell_trouble(error.message),
    );
  }

  private show(index: number, frame: BodyFrame, contacts: ContactFrame | null) {
    this.frame = frame;
    this.contact_frame = contacts;
    const first = this.shown < 0;
    this.shown = index;
    this.stale = false;
    this.paint(frame, contacts);
    this.layer.update(frame);
    this.surroundings.update(frame, this.layer.hidden);
    const {contact, mode} = this.choices;
    const {chosen} = this.selection;
    if (contacts && (contact.points || contact.arrows || contact.chains)) {
      const picked = chosen?.kind === 'contact' ? this.selection.find(contacts, chosen.key) : -1;
      this.contact_layer.update(frame, contacts, contact, mode, picked, this.layer.hidden);
    } else this.contact_layer.clear();
    this.selection.update(frame, contacts, frame.time);
    for (const plot of this.plots) plot.mark(frame.time);
    this.tell_legend();
    // A picture of one time is about what is there at that time.
    if (first && this.choices.picture) {
      this.fit_shown(0);
      this.stage.eye.distance /= this.choices.zoom;
    }
    document.documentElement.dataset.ready = 'true';
  }

  /** Shows the same frame again, by other choices. */
  refresh() {
    this.stale = true;
    this.stage.draw();
  }

  private paint(frame: BodyFrame, contacts: ContactFrame | null) {
    const {choices, info, layer, groups} = this;
    const {mode, colour} = choices;
    const palette = group_colours[mode].map(rgb);
    const grey = rgb(obstacle_colours[mode]);
    const scaled = colour !== 'group' && colour !== 'body';
    if (scaled) {
      body_values(colour, info, frame, contacts, this.values);
      let [low, high] = [Infinity, -Infinity];
      for (const value of this.values) {
        if (Number.isNaN(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (colour === 'von_mises')
        for (const stress of frame.stress ?? []) {
          if (stress < low) low = stress;
          if (stress > high) high = stress;
        }
      // The scale begins at zero and grows with what was seen, so that colours of two times can be compared.
      this.range = [Math.min(0, this.range[0], low), Math.max(this.range[1], high, 1e-300)];
    }
    const [bottom, top] = this.range;
    layer.stress_range = colour === 'von_mises' ? this.range : null;
    const marked = this.selection.chosen?.kind === 'body' ? this.selection.chosen.body : -1;
    for (let b = 0; b < layer.count; ++b) {
      let one: ArrayLike<number> = grey;
      if (b === marked) one = rgb(chosen_colour[mode]);
      else if (b < info.moving) {
        if (scaled) {
          if (!Number.isNaN(this.values[b])) {
            const k = 3 * Math.round(255 * Math.max(0, Math.min(1, (this.values[b] - bottom) / (top - bottom))));
            one = scale.subarray(k, k + 3);
          }
        } else one = palette[(colour === 'body' ? b : groups.of[b]) % palette.length];
      }
      layer.colours[4 * b] = one[0];
      layer.colours[4 * b + 1] = one[1];
      layer.colours[4 * b + 2] = one[2];
      layer.hidden[b] = this.hidden_groups.has(groups.of[b]) || (b >= info.moving && !choices.obstacles) ? 1 : 0;
    }
  }

  private tell_legend() {
    const {choices, contact_layer, contact_frame} = this;
    const parts: HTMLElement[] = [];
    if (choices.picture)
      parts.push(
        element('div', {}, `${this.info.title || this.info.name}, t = ${format.number(this.frame!.time, 4)} s`),
      );
    if (choices.colour !== 'group' && choices.colour !== 'body') {
      const {title, unit} = body_colours[choices.colour];
      parts.push(scale_legend(title, unit, ...this.range));
    }
    if (contact_frame && (choices.contact.points || choices.contact.arrows)) {
      const counts = [0, 0, 0];
      for (const status of contact_frame.status) ++counts[status];
      parts.push(status_legend(choices.mode, counts));
    }
    if (contact_frame && choices.contact.arrows && contact_layer.scale.largest > 0) {
      const {eye, canvas} = this.stage;
      const pixels =
        (contact_layer.scale.length * canvas.clientHeight) / (2 * eye.distance * Math.tan((20 * Math.PI) / 180));
      parts.push(force_legend(contact_layer.scale.largest, choices.contact.linear, pixels));
    }
    if (contact_frame && choices.contact.chains) {
      const threshold = choices.contact.chain_threshold;
      parts.push(
        element(
          'div',
          {},
          `chains${threshold > 0 ? `: more than ${threshold === 1 ? '' : `${format.number(threshold)} × `}the mean force` : ''}, thickness ∝ ${choices.contact.linear ? 'force' : '√force'}`,
        ),
      );
    }
    by_id('legend').replaceChildren(...parts);
  }

  private tell_figures() {
    const {stage} = this;
    const grid = this.choices.grid ? `grid ${format.number(this.surroundings.spacing)} m` : '';
    const fps = this.transport.playing && stage.fps > 0 ? `${stage.fps.toFixed(0)} pictures/s` : '';
    by_id('corner').textContent = [fps, grid].filter(Boolean).join(' · ');
  }

  private picked(label: number) {
    if (label === 0) this.selection.choose(null);
    else if (label <= this.layer.count) this.choose_body(label - 1);
    else if (this.contact_frame)
      this.selection.choose({kind: 'contact', key: key_of(this.contact_frame, label - 1 - this.layer.count)});
  }
  choose_body(body: number) {
    this.selection.choose({kind: 'body', body});
    say(`${this.info.bodies.name[body]} is chosen`);
  }
  /** The next body that is shown. */
  next_body(by: number) {
    const {moving} = this.info;
    const {chosen} = this.selection;
    let body = chosen?.kind === 'body' ? chosen.body : by > 0 ? -1 : moving;
    for (let k = 0; k < moving; ++k) {
      body = (body + by + moving) % moving;
      if (!this.layer.hidden[body]) return this.choose_body(body);
    }
  }
  fly() {
    const {chosen} = this.selection;
    const {stage, frame, info} = this;
    if (!chosen || !frame) return this.fit_shown();
    const size = Math.cbrt(info.bodies.volume[chosen.kind === 'body' ? chosen.body : 0] || 1e-3);
    const target = new Vector3();
    if (chosen.kind === 'body') {
      if (chosen.body >= info.moving + info.driven) return stage.fit_all();
      target.fromArray(frame.position, 3 * chosen.body);
    } else {
      const c = this.contact_frame ? this.selection.find(this.contact_frame, chosen.key) : -1;
      if (c < 0) return;
      target.fromArray(this.contact_frame!.point, 3 * c);
    }
    stage.fit(3 * size, target);
  }
  /** Everything that is shown now. */
  fit_shown(now = performance.now()) {
    const {frame, info, layer, stage} = this;
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    for (let b = 0; frame && b < info.moving; ++b) {
      if (layer.hidden[b]) continue;
      const radius = 0.8 * Math.cbrt(info.bodies.volume[b]);
      const x = new Vector3().fromArray(frame.position, 3 * b);
      low.min(x.clone().subScalar(radius));
      high.max(x.addScalar(radius));
    }
    if (low.x > high.x) return stage.fit_all();
    stage.fit_box(low, high, undefined, now);
  }
  clear_selection() {
    this.selection.choose(null);
  }

  private apply_all() {
    const {choices, stage} = this;
    stage.mode = choices.mode;
    this.surroundings.mode = choices.mode;
    this.surroundings.shown = choices.grid;
    stage.opacity = choices.opacity;
    stage.uniforms.marked.value = choices.marked ? 1 : 0;
    this.apply_section();
  }
  private apply_section() {
    const {section: plane} = this.choices;
    const {low, high} = this.info;
    if (!plane) {
      this.stage.section = null;
      return;
    }
    const axis = 'xyz'.indexOf(plane.axis);
    const at = low[axis] + plane.at * (high[axis] - low[axis]);
    const sign = plane.flip ? -1 : 1;
    const normal: [number, number, number, number] = [0, 0, 0, sign * at];
    normal[axis] = sign;
    this.stage.section = normal;
  }
  set_mode(mode: 'light' | 'dark') {
    this.choices.mode = mode;
    this.stage.mode = mode;
    this.surroundings.mode = mode;
    for (const plot of this.plots) plot.redraw();
    this.refresh();
  }

  /** Contacts are seen only through bodies: they become so when the first of these is switched on, and back. */
  private contact_switched() {
    const {contact} = this.choices;
    const any = contact.points || contact.arrows || contact.chains;
    const {opacity} = this.choices;
    if (any && opacity === 1) this.set_opacity(see_through);
    else if (!any && opacity === see_through) this.set_opacity(1);
    this.refresh();
  }
  private set_opacity(opacity: number) {
    this.choices.opacity = opacity;
    this.stage.opacity = opacity;
    this.opacity_slider?.set(opacity);
  }
  toggle(name: 'points' | 'arrows' | 'chains') {
    const {input} = this.checks[name];
    input.checked = !input.checked;
    input.dispatchEvent(new Event('change'));
  }
  toggle_projection() {
    this.checks.ortho.input.checked = !this.checks.ortho.input.checked;
    this.checks.ortho.input.dispatchEvent(new Event('change'));
  }

  private build_side() {
    const {choices, info, stage} = this;
    const {contact} = choices;
    const side = by_id('side');
    const switch_of = (name: 'points' | 'arrows' | 'chains', text: string, key: string) =>
      (this.checks[name] = check(text, contact[name], (on) => ((contact[name] = on), this.contact_switched()), {key}))
        .label;
    const colours = (Object.keys(body_colours) as BodyColour[]).filter(
      (name) => name !== 'von_mises' || info.deforms || info.skin,
    );
    this.opacity_slider = slider(
      'opacity',
      {min: 0, max: 1, step: 0.05, value: choices.opacity},
      (value) => `${Math.round(100 * value)} %`,
      (value) => this.set_opacity(value),
    );
    const find = element('input', {
      type: 'search',
      placeholder: 'name of a body',
      'aria-label': 'find a body by its name',
      list: 'names',
    });
    find.addEventListener('change', () => {
      const body = info.bodies.name.findIndex((name) => name.includes(find.value));
      if (find.value && body >= 0) {
        this.choose_body(body);
        this.fly();
      } else if (find.value) say('no body of that name');
    });
    const groups = this.groups.names.map(
      (name, group) =>
        check(
          name,
          !this.hidden_groups.has(group),
          (on) => {
            if (on) this.hidden_groups.delete(group);
            else this.hidden_groups.add(group);
            this.refresh();
          },
          {
            colour:
              name.startsWith('fixed:') || name.startsWith('driven:')
                ? obstacle_colours.light
                : group_colours.light[group % group_colours.light.length],
            note: format.count(this.groups.sizes[group]),
          },
        ).label,
    );
    const statuses = status_names.map(
      (name, k) =>
        check(name, contact.statuses[k], (on) => ((contact.statuses[k] = on), this.refresh()), {
          colour: status_colours.light[k],
        }).label,
    );
    const section_axis = select(
      'section',
      [
        ['none', 'none'],
        ['x', 'across x'],
        ['y', 'across y'],
        ['z', 'across z'],
      ],
      choices.section?.axis ?? 'none',
      (axis) => {
        choices.section =
          axis === 'none'
            ? null
            : {axis: axis as 'x', at: choices.section?.at ?? 0.5, flip: choices.section?.flip ?? false};
        this.apply_section();
      },
    );
    const section_at = slider(
      'where',
      {min: 0, max: 1, step: 0.01, value: choices.section?.at ?? 0.5},
      (value) => `${Math.round(100 * value)} %`,
      (value) => {
        if (choices.section) choices.section.at = value;
        this.apply_section();
      },
    );
    const views: [View, string][] = [
      ['front', '1'],
      ['right', '2'],
      ['back', '3'],
      ['left', '4'],
      ['top', '5'],
      ['bottom', '6'],
      ['corner', '7'],
    ];
    this.checks.ortho = check(
      'without perspective',
      choices.orthographic,
      (on) => {
        choices.orthographic = stage.eye.orthographic = on;
        stage.draw();
      },
      {key: 'O'},
    );
    // Forces go over many powers of ten: the slider is logarithmic, its left end is 0.
    const force = slider(
      'force above',
      {min: -6, max: 6, step: 0.1, value: contact.least_force > 0 ? Math.log10(contact.least_force) : -6},
      (value) => (value <= -6 ? '0 N' : `${format.number(10 ** value, 2)} N`),
      (value) => ((contact.least_force = value <= -6 ? 0 : 10 ** value), this.refresh()),
    );
    side.append(
      section(
        'Bodies',
        select(
          'colour',
          colours.map((name) => [name, body_colours[name].title]),
          choices.colour,
          (colour) => {
            choices.colour = colour;
            this.range = [0, 0];
            this.refresh();
          },
        ).row,
        this.opacity_slider.row,
        element('div', {class: 'row'}, element('span', {}, 'find'), find),
        check('marks that show rolling', choices.marked, (on) => {
          choices.marked = on;
          stage.uniforms.marked.value = on ? 1 : 0;
          stage.draw();
        }).label,
        check('obstacles', choices.obstacles, (on) => ((choices.obstacles = on), this.refresh())).label,
      ),
      section(
        'Contacts',
        switch_of('points', 'points', 'P'),
        switch_of('arrows', 'forces', 'A'),
        switch_of('chains', 'force chains', 'C'),
        ...statuses,
        force.row,
        slider(
          'chains above',
          {min: 0, max: 5, step: 0.1, value: contact.chain_threshold},
          (value) => `${format.number(value)} ×`,
          (value) => ((contact.chain_threshold = value), this.refresh()),
        ).row,
        slider(
          'size',
          {min: -1, max: 1, step: 0.05, value: Math.log10(contact.size)},
          (value) => `${format.number(10 ** value, 2)} ×`,
          (value) => ((contact.size = 10 ** value), this.refresh()),
        ).row,
        check('lengths linear in force', contact.linear, (on) => ((contact.linear = on), this.refresh())).label,
        check('chains coloured by force', contact.chain_scale, (on) => ((contact.chain_scale = on), this.refresh()))
          .label,
      ),
      section('Groups', ...groups),
      section(
        'View',
        element(
          'div',
          {class: 'views'},
          ...views.map(([view, key]) => button(view, `${view} (${key})`, () => stage.look(view))),
          button('all', 'show everything (F)', () => this.fit_shown()),
        ),
        this.checks.ortho.label,
        check('grid', choices.grid, (on) => {
          choices.grid = this.surroundings.shown = on;
          stage.draw();
        }).label,
        section_axis.row,
        section_at.row,
        check('other side', choices.section?.flip ?? false, (on) => {
          if (choices.section) choices.section.flip = on;
          this.apply_section();
        }).label,
      ),
    );
    if (info.scene) {
      const text = element('pre', {tabindex: '0'}, info.scene);
      side.append(section('Scene', element('details', {}, element('summary', {}, 'as it was simulated'), text)));
    }
  }

  private async build_plots() {
    if (this.choices.picture) return;
    const seek = (time: number) => {
      this.transport.pause();
      this.transport.go_to_time(time);
    };
    for (const title of ['energy', 'dissipated', 'contacts', 'iterations', 'error'])
      this.plots.push(new Plot(title, seek));
    by_id('plots').replaceChildren(...this.plots.map(({element: figure}) => figure));
    await this.update_plots();
  }
  private async update_plots() {
    try {
      const s = await this.source.steps(1200);
      if (s.time.length === 0) return by_id('plots').replaceChildren();
      const lines = [
        {name: 'kinetic', colour: '#d55e00', values: s.kinetic},
        {name: 'potential', colour: '#0072b2', values: s.potential},
      ];
      if (s.elastic.some((value) => value !== 0)) lines.push({name: 'elastic', colour: '#009e73', values: s.elastic});
      const total = s.time.map((_, k) => s.kinetic[k] + s.potential[k] + s.elastic[k]);
      lines.push({name: 'sum', colour: '#8a8f98', values: total});
      const one = (name: string, values: number[], colour: string) => [{name, colour, values}];
      const data = [
        {x: s.time, lines, unit: 'J'},
        {x: s.time, lines: one('dissipated', s.dissipated, '#cc79a7'), unit: 'J'},
        {x: s.time, lines: one('contacts', s.contacts, '#0072b2'), unit: ''},
        {x: s.time, lines: one('iterations', s.iterations, '#009e73'), unit: ''},
        {x: s.time, lines: one('error', s.error, '#d55e00'), unit: '', log: true},
      ];
      data.forEach((each, k) => this.plots[k].show(each));
      for (const plot of this.plots) plot.mark(this.transport.time);
    } catch (error) {
      tell_trouble((error as Error).message);
    }
  }

  /** A record that grows is followed; one that is gone is said. */
  private async follow() {
    if (document.hidden) return;
    try {
      const {records, time} = await this.source.progress(this.transport.records);
      tell_trouble('');
      if (records < this.transport.records) {
        location.reload(); // it was begun anew
        return;
      }
      if (time.length === 0) return;
      this.transport.extend(time);
      await this.update_plots();
    } catch (error) {
      tell_trouble((error as Error).message);
    }
  }
}
