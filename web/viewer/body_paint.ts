// The colours of bodies: by group, one by one, or by a value on a scale.
import type {BodyLayer} from './body_layer.ts';
import {body_values} from './body_values.ts';
import type {Choices} from './choices.ts';
import type {BodyFrame, ContactFrame, RecordInfo} from './data.ts';
import type {Groups} from './groups.ts';
import {chosen_colour, group_colours, obstacle_colours, rgb, scale} from './palette.ts';

export class BodyPaint {
  /** Of the scale. It begins at zero and grows with what was seen, so that colours of two times can be compared. */
  range: [number, number] = [0, 0];
  readonly hidden_groups = new Set<number>();
  private readonly values: Float32Array;

  constructor(
    private readonly info: RecordInfo,
    private readonly layer: BodyLayer,
    readonly groups: Groups,
  ) {
    this.values = new Float32Array(info.moving);
  }

  /** Colours, and what is hidden. `marked`: the body that is chosen, or −1. */
  apply(choices: Choices, frame: BodyFrame, contacts: ContactFrame | null, marked: number) {
    const {info, layer, groups} = this;
    const {mode, colour} = choices;
    const palette = group_colours[mode].map(rgb);
    const grey = rgb(obstacle_colours[mode]);
    const scaled = colour !== 'group' && colour !== 'body';
    if (scaled) {
      body_values(colour, info, frame, contacts, this.values);
      this.widen(this.values);
      if (colour === 'von_mises' && frame.stress) this.widen(frame.stress);
    }
    layer.stress_range = colour === 'von_mises' ? this.range : null;
    for (let b = 0; b < layer.count; ++b) {
      let one: ArrayLike<number> = grey;
      if (b === marked) one = rgb(chosen_colour[mode]);
      else if (b < info.moving) {
        if (!scaled) one = palette[(colour === 'body' ? b : groups.of[b]) % palette.length];
        else if (!Number.isNaN(this.values[b])) one = this.on_scale(this.values[b]);
      }
      layer.colours[4 * b] = one[0];
      layer.colours[4 * b + 1] = one[1];
      layer.colours[4 * b + 2] = one[2];
      layer.hidden[b] = this.hidden_groups.has(groups.of[b]) || (b >= info.moving && !choices.obstacles) ? 1 : 0;
    }
  }

  private widen(values: Float32Array) {
    let [low, high] = this.range;
    for (const value of values) {
      if (Number.isNaN(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.range = [low, Math.max(high, 1e-300)];
  }

  private on_scale(value: number): ArrayLike<number> {
    const [bottom, top] = this.range;
    const k = 3 * Math.round(255 * Math.max(0, Math.min(1, (value - bottom) / (top - bottom))));
    return scale.subarray(k, k + 3);
  }
}
