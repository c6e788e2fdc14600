// A number for each body, by which it is coloured.
import type {BodyFrame, ContactFrame, RecordInfo} from './data.ts';
import {von_mises} from './linear.ts';

export type BodyColour = 'group' | 'body' | 'speed' | 'kinetic' | 'pressure' | 'von_mises';

export const body_colours: Record<BodyColour, {title: string; unit: string; contacts: boolean}> = {
  group: {title: 'groups', unit: '', contacts: false},
  body: {title: 'each its own', unit: '', contacts: false},
  speed: {title: 'speed', unit: 'm/s', contacts: false},
  kinetic: {title: 'kinetic energy', unit: 'J', contacts: false},
  pressure: {title: 'pressure', unit: 'Pa', contacts: true},
  von_mises: {title: 'von Mises stress', unit: 'Pa', contacts: false},
};

export function speed_of(frame: BodyFrame, body: number): number {
  return Math.hypot(frame.velocity[6 * body], frame.velocity[6 * body + 1], frame.velocity[6 * body + 2]);
}

/**
 * ½ m v² + ½ ω·J ω, where J is that of a ball of the same volume: 2/5 m r². The record has the energy of all bodies exactly; this is for
 * colours.
 */
export function kinetic_of(info: RecordInfo, frame: BodyFrame, body: number): number {
  const v = frame.velocity;
  const at = 6 * body;
  const m = info.bodies.mass[body];
  const r2 = ((3 * info.bodies.volume[body]) / (4 * Math.PI)) ** (2 / 3);
  return (
    0.5 * m * (v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2) +
    0.2 * m * r2 * (v[at + 3] ** 2 + v[at + 4] ** 2 + v[at + 5] ** 2)
  );
}

/** −tr σ/3 with the mean stress of a body σ = (1/V) Σ f ⊗ (x − x̄) over its contacts. */
export function pressures(info: RecordInfo, frame: BodyFrame, contacts: ContactFrame, out: Float32Array) {
  out.fill(0);
  const {body, impulse, point} = contacts;
  for (let c = 0; c < contacts.count; ++c)
    for (let side = 0; side < 2; ++side) {
      const b = body[2 * c + side];
      if (b < 0) continue;
      let sum = 0;
      for (let i = 0; i < 3; ++i) sum += impulse[3 * c + i] * (point[3 * c + i] - frame.position[3 * b + i]);
      out[b] -= (side === 1 ? sum : -sum) / (3 * info.step * info.bodies.volume[b]);
    }
}

/** What a body is coloured by; NaN where that has no meaning. */
export function body_values(
  what: BodyColour,
  info: RecordInfo,
  frame: BodyFrame,
  contacts: ContactFrame | null,
  out: Float32Array,
): Float32Array {
  const {young, poisson} = info.bodies;
  if (what === 'pressure') {
    if (contacts) pressures(info, frame, contacts, out);
    else out.fill(0);
    return out;
  }
  for (let b = 0; b < out.length; ++b) {
    if (what === 'speed') out[b] = speed_of(frame, b);
    else if (what === 'kinetic') out[b] = kinetic_of(info, frame, b);
    else if (what === 'von_mises')
      out[b] =
        frame.deformation && info.bodies.kind[b] === 'pseudo_rigid' && young[b] !== null && poisson[b] !== null
          ? von_mises(frame.deformation, 9 * b, young[b]!, poisson[b]!)
          : NaN;
  }
  return out;
}
