// Colours of the viewer with the eyes of people who see fewer of them.
import assert from 'node:assert/strict';
import test from 'node:test';
import {ground_colours, rgb, scale, status_colours, status_names, type Mode} from '../../web/viewer/palette.ts';

// Linear RGB as it is seen with full dichromacy: Machado, Oliveira, Fernandes 2009, Table 1.
const eyes: Record<string, number[][]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (value: number) => {
  const x = value / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
};

/** CIE L*a*b* (D65) of a colour as an eye sees it. */
function lab(colour: ArrayLike<number>, eye: number[][]): number[] {
  const given = [0, 1, 2].map((k) => linear(colour[k]));
  const seen = eye.map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, x, k) => sum + x * given[k], 0),
      ),
    ),
  );
  const xyz = [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ].map((row) => row.reduce((sum, x, k) => sum + x * seen[k], 0));
  const [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map((t) =>
    t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116,
  );
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const distance = (a: number[], b: number[]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test('open, stick and slip are told apart by all eyes, and from the ground', () => {
  for (const mode of ['light', 'dark'] as Mode[])
    for (const [name, eye] of Object.entries(eyes)) {
      const seen = status_colours[mode].map((colour) => lab(rgb(colour), eye));
      const ground = lab(rgb(ground_colours[mode]), eye);
      for (let a = 0; a < 3; ++a) {
        // 2.3 is just noticeable; small things need about ten times as much.
        assert.ok(distance(seen[a], ground) > 25, `${mode} ${name}: ${status_names[a]} on the ground`);
        for (let b = 0; b < a; ++b)
          assert.ok(
            distance(seen[a], seen[b]) > 20,
            `${mode} ${name}: ${status_names[a]} and ${status_names[b]} ${distance(seen[a], seen[b])}`,
          );
      }
    }
});

test('the scale becomes lighter all the way, for all eyes', () => {
  for (const [name, eye] of Object.entries(eyes)) {
    let last = -Infinity;
    for (let k = 0; k < 256; k += 15) {
      const [lightness] = lab(scale.subarray(3 * k, 3 * k + 3), eye);
      assert.ok(lightness > last, `${name} at ${k}`);
      last = lightness;
    }
  }
});
