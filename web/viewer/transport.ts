// Time: the slider, playing, stepping.
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {button} from './controls.ts';

export class Transport {
  frame = 0;
  playing = false;
  /** Seconds of the run in one second. */
  speed: number;
  changed: () => void = () => {};
  /** Whether a frame is here and may be shown while playing. */
  ready: (frame: number) => boolean = () => true;
  private clock = 0;
  private last = 0;
  private readonly slider = element('input', {type: 'range', min: '0', step: '1', 'aria-label': 'time'});
  private readonly output = element('output', {});
  private readonly play_button: HTMLButtonElement;
  private readonly speed_input: HTMLSelectElement;

  constructor(private times: number[]) {
    const span = Math.max(1e-12, this.end - times[0]);
    // Ten seconds for the whole run where it is short or long, otherwise as it was.
    this.speed = span > 3 && span < 40 ? 1 : Number((span / 10).toPrecision(1));
    this.play_button = button('▶', 'play (space)', () => this.toggle());
    this.play_button.classList.add('play');
    this.speed_input = element('select', {'aria-label': 'speed', title: 'seconds of the run in one second'});
    for (const factor of [0.1, 0.2, 0.5, 1, 2, 5, 10]) {
      const value = Number((factor * this.speed).toPrecision(2));
      this.speed_input.append(element('option', {value: String(value)}, `× ${format.number(value)}`));
    }
    this.speed_input.value = String(Number(this.speed.toPrecision(2)));
    this.speed_input.addEventListener('change', () => (this.speed = Number(this.speed_input.value)));
    this.slider.addEventListener('input', () => this.go(this.slider.valueAsNumber));
    const place = by_id('transport');
    place.append(
      button('|◂', 'first frame (Home)', () => this.go(0)),
      button('◂', 'one frame back (,)', () => this.step(-1)),
      this.play_button,
      button('▸', 'one frame on (.)', () => this.step(1)),
      button('▸|', 'last frame (End)', () => this.go(this.times.length - 1)),
      this.slider,
      this.speed_input,
      this.output,
    );
    place.hidden = times.length < 2;
    this.tell();
  }

  get time(): number {
    return this.times[this.frame] ?? 0;
  }
  private get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }
  get records(): number {
    return this.times.length;
  }

  /** More frames came; one who looks at the last one goes on with it. */
  extend(times: number[]) {
    const at_end = this.frame === this.times.length - 1;
    this.times.push(...times);
    by_id('transport').hidden = this.times.length < 2;
    if (at_end && !this.playing) this.go(this.times.length - 1);
    else this.tell();
  }

  go(frame: number) {
    const to = Math.max(0, Math.min(this.times.length - 1, Math.round(frame)));
    this.clock = this.times[to] ?? 0;
    if (to === this.frame) return this.tell();
    this.frame = to;
    this.tell();
    this.changed();
  }
  step(by: number) {
    this.pause();
    this.go(this.frame + by);
  }
  go_to_time(time: number) {
    this.go(this.frame_at(time));
  }
  /** The frame nearest to a time. */
  frame_at(time: number): number {
    let low = 0;
    let high = this.times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return time - this.times[low] <= this.times[high] - time ? low : high;
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.frame >= this.times.length - 1) this.go(0);
    this.playing = true;
    this.last = 0;
    this.clock = this.time;
    this.tell();
    this.changed();
  }
  pause() {
    this.playing = false;
    this.tell();
  }

  /** Moves on by the clock; a frame that is not here yet stops it. Says whether the frame has changed. */
  advance(now: number): boolean {
    if (!this.playing) return false;
    const passed = this.last === 0 ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    const clock = this.clock + passed * this.speed;
    let next = this.frame;
    while (next + 1 < this.times.length && this.times[next + 1] <= clock) ++next;
    if (next !== this.frame && !this.ready(next)) {
      // Show what is here of the way.
      while (next > this.frame && !this.ready(next)) --next;
      this.clock = this.times[next];
    } else this.clock = clock;
    const moved = next !== this.frame;
    this.frame = next;
    if (next >= this.times.length - 1) this.pause();
    if (moved) this.tell();
    return moved;
  }

  private tell() {
    this.slider.max = String(Math.max(0, this.times.length - 1));
    this.slider.value = String(this.frame);
    const text = `${format.number(this.time, 4)} s of ${format.number(this.end, 4)} s`;
    this.output.textContent = `${text} · frame ${format.count(this.frame)}`;
    this.slider.setAttribute('aria-valuetext', text);
    this.play_button.textContent = this.playing ? '❚❚' : '▶';
    this.play_button.setAttribute('aria-label', this.playing ? 'pause (space)' : 'play (space)');
  }
}
