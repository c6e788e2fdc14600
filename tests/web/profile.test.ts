// Performance profiles against an example worked out by hand.
import assert from 'node:assert/strict';
import test from 'node:test';
import {compare, cost_of} from '../../web/src/costs.ts';
import {Results} from '../../web/src/data.ts';
import {distribution, performance_profiles, ratios_to_best, value_at} from '../../web/src/profile.ts';
import {moments, set_speeds, solved_counts} from '../../web/src/statistics.ts';
import {small_campaign} from './small_campaign.ts';

// Three solvers, four problems; ∞ is a failure, and nobody solves the fourth.
//
//          p1   p2   p3   p4        best   ratios
//   A       1    4    ∞    ∞          1     1    2    ∞    ∞
//   B       2    2    6    ∞          2     2    1    2    ∞
//   C       8    2    3    ∞          3     8    1    1    ∞
const costs = [
  [1, 4, Infinity, Infinity],
  [2, 2, 6, Infinity],
  [8, 2, 3, Infinity],
];

test('ratios are those of the hand-computed table', () => {
  assert.deepEqual(ratios_to_best(costs), [
    [1, 2, Infinity, Infinity],
    [2, 1, 2, Infinity],
    [8, 1, 1, Infinity],
  ]);
});

test('ρ steps where the table says', () => {
  const [a, b, c] = performance_profiles(costs);
  assert.deepEqual(a, {x: [1, 2], rho: [1 / 4, 2 / 4]});
  assert.deepEqual(b, {x: [1, 2], rho: [1 / 4, 3 / 4]});
  assert.deepEqual(c, {x: [1, 8], rho: [2 / 4, 3 / 4]});
  assert.equal(value_at(c, 0.999), 0);
  assert.equal(value_at(c, 1), 0.5);
  assert.equal(value_at(c, 7.999), 0.5);
  assert.equal(value_at(c, 8), 0.75);
  assert.equal(value_at(c, 1e9), 0.75);
});

test('the best is the best of the chosen solvers', () => {
  // Without A: p1 best 2, so that B has ratios 1, 1, 2 and C has 4, 1, 1.
  const [b, c] = performance_profiles(costs.slice(1));
  assert.deepEqual(b, {x: [1, 2], rho: [2 / 4, 3 / 4]});
  assert.deepEqual(c, {x: [1, 4], rho: [2 / 4, 3 / 4]});
});

test('corner cases: nothing, all failed, zero costs', () => {
  assert.deepEqual(performance_profiles([]), []);
  assert.deepEqual(performance_profiles([[]]), [{x: [], rho: []}]);
  assert.deepEqual(performance_profiles([[Infinity]]), [{x: [], rho: []}]);
  assert.equal(value_at({x: [], rho: []}, 5), 0);
  assert.deepEqual(ratios_to_best([[0], [1]]), [[1], [Infinity]]);
  assert.deepEqual(distribution([3, 1, 3, Infinity]), {x: [1, 3], rho: [1 / 4, 3 / 4]});
});

test('a campaign: costs, problems that not all solvers were given, statistics', () => {
  const results = new Results(small_campaign());
  // Instances: (p0, 1e-4), (p1, 1e-4), (p2, 1e-4); solver 1 was not run on p2.
  assert.equal(results.instances.length, 3);
  const everything = [0, 1, 2];
  assert.equal(cost_of(results, results.row_of(0, 0), 'time', 10), 0.5);
  assert.equal(cost_of(results, results.row_of(0, 0), 'time_per_contact', 10), 0.05);
  assert.equal(cost_of(results, results.row_of(0, 0), 'iterations', 10), 7);
  assert.equal(cost_of(results, results.row_of(1, 1), 'time', 10), Infinity);
  const both = compare(results, [0, 1], everything, 'time', 'relative');
  assert.deepEqual([both.counted, both.left_out, both.unsolved], [2, 1, 0]);
  // p0: 0.5 against 0.25; p1: 2 against a failure.
  assert.deepEqual(both.profiles, [
    {x: [1, 2], rho: [1 / 2, 1]},
    {x: [1], rho: [1 / 2]},
  ]);
  const one = compare(results, [0], everything, 'time', 'relative');
  assert.deepEqual([one.counted, one.left_out, one.unsolved], [3, 0, 1]);

  // Fastest times: p0 0.25 by solver 1 (10 contacts), p1 2 by solver 0 (20 contacts); p2 unsolved.
  const [speed] = set_speeds(results, [0, 1], everything);
  assert.equal(speed.problems, 3);
  assert.equal(speed.unsolved, 1);
  assert.deepEqual(speed.fastest, moments([0.25, 2]));
  assert.equal(speed.fastest.mean, 1.125);
  assert.ok(Math.abs(speed.fastest.deviation! - 1.75 / Math.SQRT2) < 1e-15); // |2 − 0.25|/√2 for two values
  assert.deepEqual(speed.fastest_per_contact, moments([0.025, 0.1]));
  assert.deepEqual(speed.limits, [10]);
  assert.deepEqual(
    solved_counts(results, [0, 1], everything).map(({solved, run}) => [solved, run]),
    [
      [2, 3],
      [1, 2],
    ],
  );
});
