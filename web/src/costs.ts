// What a solve costs, as numbers for the profiles.
import type {Results} from './data.ts';
import {distribution, performance_profiles, type Profile} from './profile.ts';

export type Cost = 'time' | 'iterations' | 'time_per_contact';
/** Relative: to the best of the chosen solvers. Absolute: the plain cost. */
export type Measure = 'relative' | 'absolute';

/** A division of t_{p,s} by the contacts of p changes no ratio, so time per contact is shown as it is. */
export function measure_of(cost: Cost, wanted: Measure): Measure {
  return cost === 'time_per_contact' ? 'absolute' : wanted;
}

/** ∞ for a solve that failed. Clocks and counters have a resolution: nothing costs less than 1 ns or one iteration. */
export function cost_of(results: Results, row: number, cost: Cost, contacts: number): number {
  if (!results.is_solved(row)) return Infinity;
  const {seconds, iterations} = results.campaign.rows;
  if (cost === 'iterations') {
    const count = iterations[row];
    return count === null ? Infinity : Math.max(count, 1);
  }
  const time = seconds[row];
  if (time === null) return Infinity;
  return Math.max(time, 1e-9) / (cost === 'time_per_contact' ? Math.max(contacts, 1) : 1);
}

export interface Comparison {
  /** One profile for each of the chosen solvers. */
  profiles: Profile[];
  /** The problems that were counted: those that every chosen solver was given. */
  counted: number;
  /** Those left out because a chosen solver was not run on them. */
  left_out: number;
  /** Those counted that no chosen solver solved. */
  unsolved: number;
}

export function compare(
  results: Results,
  solvers: readonly number[],
  instances: readonly number[],
  cost: Cost,
  measure: Measure,
): Comparison {
  const common = instances.filter((one) => solvers.every((solver) => results.row_of(one, solver) >= 0));
  const costs = solvers.map((solver) =>
    common.map((one) => cost_of(results, results.row_of(one, solver), cost, results.contacts_of(one))),
  );
  const profiles = measure_of(cost, measure) === 'relative' ? performance_profiles(costs) : costs.map(distribution);
  let unsolved = 0;
  for (let p = 0; p < common.length; ++p) if (costs.every((row) => row[p] === Infinity)) ++unsolved;
  return {profiles, counted: common.length, left_out: instances.length - common.length, unsolved};
}
