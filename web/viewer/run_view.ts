// The page of a record: picture, controls, time, plots, selection.
import {Vector3} from 'three';
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {BodyLayer} from './body_layer.ts';
import {BodyPaint} from './body_paint.ts';
import {body_colours, type BodyColour} from './body_values.ts';
import {see_through, type Choices} from './choices.ts';
import {ContactLayer} from './contact_layer.ts';
import {key_of, type BodyFrame, type ContactFrame, type RecordInfo, type RunSource} from './data.ts';
import {FrameCache} from './frame_cache.ts';
import {group_bodies} from './groups.ts';
import {run_legend} from './legend.ts';
import {say, tell_trouble} from './messages.ts';
import {RunPlots} from './run_plots.ts';
import {RunSide} from './run_side.ts';
import {Selection} from './selection.ts';
import {Stage} from './stage.ts';
import {Surroundings} from './surroundings.ts';
import {Transport} from './transport.ts';

const megabyte = 1 << 20;

/** The axis that is nearest to "against gravity": a load to the side does not tilt the picture. */
function upward(gravity: number[]): Vector3 {
  const sizes = gravity.map(Math.abs);
  const most = Math.max(...sizes);
  const up = new Vector3(0, 0, 1);
  if (most === 0 || sizes[2] === most) return gravity[2] > 0 ? up.negate() : up;
  const axis = sizes.indexOf(most);
  return up.set(0, 0, 0).setComponent(axis, gravity[axis] > 0 ? -1 : 1);
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
  readonly paint: BodyPaint;
  private frame: BodyFrame | null = null;
  private contact_frame: ContactFrame | null = null;
  private shown = -1;
  private stale = true;
  private wanted = 0;
  private readonly plots: RunPlots | null;
  private readonly side: RunSide;

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
    this.layer = new BodyLayer(info, this.stage);
    this.paint = new BodyPaint(info, this.layer, group_bodies(info));
    this.paint.groups.names.forEach((name, k) => choices.hide.includes(name) && this.paint.hidden_groups.add(k));
    this.contact_layer = new ContactLayer(info, this.stage, this.layer.count + 1);
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
    this.side = new RunSide(this);
    this.plots = choices.picture ? null : new RunPlots(source, (time) => this.seek(time));
    void this.plots?.update();
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
    const {chosen} = this.selection;
    this.paint.apply(this.choices, frame, contacts, chosen?.kind === 'body' ? chosen.body : -1);
    this.layer.update(frame);
    this.surroundings.update(frame, this.layer.hidden);
    const {contact, mode} = this.choices;
    if (contacts && (contact.points || contact.arrows || contact.chains)) {
      const picked = chosen?.kind === 'contact' ? this.selection.find(contacts, chosen.key) : -1;
      this.contact_layer.update(frame, contacts, contact, mode, picked, this.layer.hidden);
    } else this.contact_layer.clear();
    this.selection.update(frame, contacts, frame.time);
    this.plots?.mark(frame.time);
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

  private seek(time: number) {
    this.transport.pause();
    this.transport.go_to_time(time);
  }

  private tell_legend() {
    const {choices, contact_frame, info} = this;
    const {eye, canvas} = this.stage;
    const {largest, length} = this.contact_layer.scale;
    const pixels = (length * canvas.clientHeight) / (2 * eye.distance * Math.tan((20 * Math.PI) / 180));
    const parts = run_legend(choices, contact_frame, this.paint.range, {largest, pixels});
    if (choices.picture) {
      const time = format.number(this.frame!.time, 4);
      parts.unshift(element('div', {}, `${info.title || info.name}, t = ${time} s`));
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
    const {tips} = this.contact_layer;
    if (!tips.isEmpty()) {
      low.min(tips.min);
      high.max(tips.max);
    }
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
  apply_section() {
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
    this.plots?.redraw();
    this.refresh();
  }

  /** Contacts are seen only through bodies: they become so when the first of these is switched on, and back. */
  contact_switched() {
    const {contact} = this.choices;
    const any = contact.points || contact.arrows || contact.chains;
    const {opacity} = this.choices;
    if (any && opacity === 1) this.set_opacity(see_through);
    else if (!any && opacity === see_through) this.set_opacity(1);
    this.refresh();
  }
  set_opacity(opacity: number) {
    this.choices.opacity = opacity;
    this.stage.opacity = opacity;
    this.side.show_opacity(opacity);
  }
  colour_by(colour: BodyColour) {
    this.choices.colour = colour;
    this.paint.range = [0, 0];
    this.refresh();
  }
  show_grid(on: boolean) {
    this.choices.grid = this.surroundings.shown = on;
    this.stage.draw();
  }
  toggle(name: 'points' | 'arrows' | 'chains' | 'ortho') {
    this.side.toggle(name);
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
      await this.plots?.update();
    } catch (error) {
      tell_trouble((error as Error).message);
    }
  }
}
