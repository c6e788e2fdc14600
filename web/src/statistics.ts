// Statistics of the sets: what their problems look like (RR Table 5) and how fast the fastest of the chosen solvers was (RR
// Table 6: mean and standard deviation over the problems p of min_s t_{p,s}, the same divided by the contacts, and the number
// of problems that no solver solved).
import {cost_of} from './costs.ts';
import type {Results} from './data.ts';

export interface Moments {
  mean: number | null;
  /** Of the sample (n − 1 below the line); null for fewer than two values. */
  deviation: number | null;
}

export function moments(values: readonly number[]): Moments {
  if (values.length === 0) return {mean: null, deviation: null};
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  if (values.length === 1) return {mean, deviation: null};
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return {mean, deviation: Math.sqrt(squares / (values.length - 1))};
}

export interface SetSpeed {
  set: number;
  tolerance: number;
  problems: number;
  /** Limits of time that occur, in seconds. */
  limits: number[];
  /** The solver that was fastest most often, and on how many problems; null where nothing was solved. */
  winner: {solver: number; wins: number} | null;
  fastest: Moments;
  fastest_per_contact: Moments;
  unsolved: number;
}

/** One line for each set and tolerance that occurs among the instances. */
export function set_speeds(results: Results, solvers: readonly number[], instances: readonly number[]): SetSpeed[] {
  const groups = new Map<string, number[]>();
  for (const at of instances) {
    const {set, tolerance} = results.instances[at];
    const key = `${set} ${tolerance}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(at);
  }
  return [...groups.values()].map((group) => {
    const times: number[] = [];
    const per_contact: number[] = [];
    const wins = new Map<number, number>();
    const limits = new Set<number>();
    for (const at of group) {
      limits.add(results.campaign.limits[results.instances[at].limit]);
      let best = Infinity;
      let who = -1;
      for (const solver of solvers) {
        const row = results.row_of(at, solver);
        if (row < 0) continue;
        const cost = cost_of(results, row, 'time', 1);
        if (cost < best) [best, who] = [cost, solver];
      }
      if (who < 0) continue;
      times.push(best);
      per_contact.push(best / Math.max(results.contacts_of(at), 1));
      wins.set(who, (wins.get(who) ?? 0) + 1);
    }
    let winner: SetSpeed['winner'] = null;
    for (const [solver, count] of wins) if (!winner || count > winner.wins) winner = {solver, wins: count};
    const {set, tolerance} = results.instances[group[0]];
    return {
      set,
      tolerance,
      problems: group.length,
      limits: [...limits].sort((a, b) => a - b),
      winner,
      fastest: moments(times),
      fastest_per_contact: moments(per_contact),
      unsolved: group.length - times.length,
    };
  });
}

export interface SolvedCount {
  solver: number;
  tolerance: number;
  solved: number;
  run: number;
}

export function solved_counts(
  results: Results,
  solvers: readonly number[],
  instances: readonly number[],
): SolvedCount[] {
  const tolerances = [...new Set(instances.map((at) => results.instances[at].tolerance))].sort((a, b) => a - b);
  const counts: SolvedCount[] = [];
  for (const solver of solvers)
    for (const tolerance of tolerances) {
      const count = {solver, tolerance, solved: 0, run: 0};
      for (const at of instances) {
        if (results.instances[at].tolerance !== tolerance) continue;
        const row = results.row_of(at, solver);
        if (row < 0) continue;
        ++count.run;
        if (results.is_solved(row)) ++count.solved;
      }
      counts.push(count);
    }
  return counts;
}
