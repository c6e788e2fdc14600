// Parts of the viewer that need no browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import {parse_bodies, parse_contacts, type Block} from '../../web/viewer/data.ts';
import {FrameCache} from '../../web/viewer/frame_cache.ts';
import {determinant, multiply, rotation, von_mises} from '../../web/viewer/linear.ts';
import {marks} from '../../web/viewer/plot.ts';
import {csv} from '../../web/viewer/selection.ts';
import {round_up} from '../../web/viewer/surroundings.ts';
import {unit_arrow, unit_box, unit_capsule, unit_cylinder, type UnitShape} from '../../web/viewer/unit_shapes.ts';

test('rotations turn as quaternions say', () => {
  const R = new Float32Array(9);
  const s = Math.SQRT1_2;
  rotation([s, 0, 0, s], 0, R); // a quarter about z
  assert.deepEqual(
    [...R].map((x) => Math.round(x) + 0),
    [0, 1, 0, -1, 0, 0, 0, 0, 1],
  );
  const twice = new Float32Array(9);
  multiply(R, R, 0, twice);
  assert.deepEqual(
    [...twice].map((x) => Math.round(x) + 0),
    [-1, 0, 0, 0, -1, 0, 0, 0, 1],
  );
  assert.ok(Math.abs(determinant(twice) - 1) < 1e-6);
});

test('von Mises stress of simple deformations', () => {
  const rotated = [0, -1, 0, 1, 0, 0, 0, 0, 1];
  assert.ok(von_mises(rotated, 0, 1e6, 0.25) < 1e-9, 'none in a rotation');
  const swollen = [1.1, 0, 0, 0, 1.1, 0, 0, 0, 1.1];
  assert.ok(von_mises(swollen, 0, 1e6, 0.25) < 1e-6, 'none in swelling');
  // A small stretch e of a free bar: σ = E e in the first direction.
  const e = 1e-6;
  const bar = [1 + e, 0, 0, 0, 1 - 0.25 * e, 0, 0, 0, 1 - 0.25 * e];
  assert.ok(Math.abs(von_mises(bar, 0, 1e6, 0.25) - 1e6 * e) < 1e-4);
});

test('unit shapes are closed and look outwards', () => {
  const volume = ({position}: UnitShape) => {
    let six = 0;
    for (let t = 0; t < position.length; t += 9) six += determinant(position, t);
    return six / 6;
  };
  assert.ok(Math.abs(volume(unit_box()) - 8) < 1e-5);
  assert.ok(Math.abs(volume(unit_cylinder(200)) - 2 * Math.PI) < 0.01);
  assert.ok(Math.abs(volume(unit_capsule(80, 40)) - (4 / 3) * Math.PI) < 0.02);
  for (const shape of [unit_box(), unit_cylinder(), unit_capsule(), unit_arrow()])
    for (let t = 0; t < shape.position.length; t += 9) {
      const a = [0, 1, 2].map((i) => shape.position[t + 3 + i] - shape.position[t + i]);
      const b = [0, 1, 2].map((i) => shape.position[t + 6 + i] - shape.position[t + i]);
      const n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
      const along = [0, 1, 2].reduce((sum, i) => sum + n[i] * shape.normal[t + i], 0);
      // The tube of a capsule has no height before it is stretched.
      if (Math.hypot(...n) > 1e-6) assert.ok(along > 0, 'normals agree with the sense of turning');
    }
});

test('frames are read as they were packed', () => {
  const bytes = new ArrayBuffer(16 + 8 + 4 * 13);
  new Uint32Array(bytes, 0, 4).set([1, 7, 1, 0]);
  new Float64Array(bytes, 16, 1)[0] = 0.5;
  new Float32Array(bytes, 24).set([1, 2, 3, 1, 0, 0, 0, 4, 5, 6, 7, 8, 9]);
  const {first, frames} = parse_bodies(bytes);
  assert.equal(first, 7);
  assert.equal(frames[0].time, 0.5);
  assert.deepEqual([...frames[0].position], [1, 2, 3]);
  assert.deepEqual([...frames[0].velocity], [4, 5, 6, 7, 8, 9]);
  assert.equal(frames[0].deformation, null);
  assert.deepEqual(parse_contacts(new Uint32Array([1, 3, 0, 0, 0]).buffer).frames[0].count, 0);
});

test('vertices of their own come last', () => {
  const bytes = new ArrayBuffer(16 + 8 + 4 * (13 + 2 * 4));
  new Uint32Array(bytes, 0, 4).set([1, 0, 1, 2]);
  new Float32Array(bytes, 24).set([...new Array(13).fill(0), 1, 2, 3, 4, 5, 6, 70, 80]);
  const {frames} = parse_bodies(bytes);
  assert.deepEqual([...frames[0].vertices!], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...frames[0].stress!], [70, 80]);
});

test('the cache holds no more than it may, and fetches ahead', async () => {
  const asked: [number, number][] = [];
  const megabyte = 1 << 20;
  const fetch = async (first: number, count: number): Promise<Block<number>> => {
    asked.push([first, count]);
    const frames = Array.from({length: Math.min(count, 100 - first)}, (_, k) => first + k);
    return {first, frames, bytes: frames.length * megabyte};
  };
  const cache = new FrameCache(fetch, 10 * megabyte);
  for (let k = 0; k < 100; ++k) {
    assert.equal(await cache.get(k), k);
    assert.ok(cache.held() <= 10 * megabyte);
  }
  assert.ok(asked.length < 40, 'several frames come in one answer');
  assert.equal(cache.peek(0), null, 'the oldest are gone');
  assert.equal(await cache.get(0), 0, 'and come back');
  cache.prefetch(1, 100);
  await new Promise((done) => setTimeout(done, 5));
  assert.notEqual(cache.peek(5), null);
});

test('round numbers, marks and tables', () => {
  assert.equal(round_up(0.013), 0.02);
  assert.equal(round_up(1), 1);
  assert.ok(marks(0, 1, 5).length >= 5);
  assert.deepEqual(marks(2, 2, 5), [2]);
  assert.equal(csv({a: [1, 2], 'b (m)': [3, 4]}), 'a,b (m)\n1,3\n2,4\n');
});
