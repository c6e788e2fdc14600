// The sets: what their problems look like (RR Table 5) and how fast the fastest chosen solver was (RR Table 6).
import {by_id, SortedTable} from './dom.ts';
import * as format from './format.ts';
import type {State} from './state.ts';
import {set_speeds, type SetSpeed} from './statistics.ts';

type Key = 'contacts' | 'dofs' | 'density' | 'rank_ratio' | 'conditioning' | 'asymmetry';
const largest = (values: (number | null)[]) =>
  values.reduce<number | null>((best, one) => (one !== null && (best === null || one > best) ? one : best), null);

export function show_sets(state: State) {
  const {campaign} = state.results;
  const members = new Map<number, number[]>();
  campaign.problems.set.forEach((set, problem) => {
    if (!members.has(set)) members.set(set, []);
    members.get(set)!.push(problem);
  });
  const of = (set: number, key: Key) => (members.get(set) ?? []).map((problem) => campaign.problems[key][problem]);
  const ranged = (title: string, key: Key, hint: string, show: (value: number) => string = format.number) => ({
    title,
    hint,
    numeric: true,
    key: (set: number) => largest(of(set, key)),
    html: (set: number) => format.range(of(set, key), show),
  });
  const friction = (set: number) =>
    (members.get(set) ?? []).flatMap((problem) => [
      campaign.problems.mu_min[problem],
      campaign.problems.mu_max[problem],
    ]);
  const looks = new SortedTable<number>(by_id('set-table'), 'The problems (smallest : largest)', [
    {title: 'set', key: (set) => campaign.sets[set], html: (set) => format.escape(campaign.sets[set])},
    {
      title: 'problems',
      numeric: true,
      key: (set) => members.get(set)?.length ?? 0,
      html: (set) => format.count(members.get(set)?.length ?? 0),
    },
    {
      title: 'μ',
      hint: 'coefficient of friction',
      numeric: true,
      key: (set) => largest(friction(set)),
      html: (set) => format.range(friction(set)),
    },
    ranged('contacts', 'contacts', 'number of contacts n_c', format.count),
    ranged('d.o.f.', 'dofs', 'degrees of freedom n before the reduction to the contacts', format.count),
    ranged('density c', 'density', 'contact unknowns / degrees of freedom'),
    ranged('rank ratio', 'rank_ratio', 'contact unknowns / rank of W; 1 means full rank'),
    ranged('cond W', 'conditioning', 'largest / smallest eigenvalue of the symmetric part of W that is not zero'),
    ranged('asymmetry', 'asymmetry', '‖W − Wᵀ‖/‖W‖'),
  ]);
  const {solvers} = campaign;
  const winner = (row: SetSpeed) => (row.winner ? solvers.label[row.winner.solver] : '');
  const speeds = new SortedTable<SetSpeed>(by_id('speed-table'), 'The fastest of the chosen solvers on each problem', [
    {title: 'set', key: (row) => campaign.sets[row.set], html: (row) => format.escape(campaign.sets[row.set])},
    {
      title: 'tolerance',
      numeric: true,
      key: (row) => campaign.tolerances[row.tolerance],
      html: (row) => format.power(campaign.tolerances[row.tolerance]),
    },
    {
      title: 'time limit',
      numeric: true,
      key: (row) => row.limits[0] ?? null,
      html: (row) => format.range(row.limits, format.time),
    },
    {title: 'problems', numeric: true, key: (row) => row.problems, html: (row) => format.count(row.problems)},
    {
      title: 'most often fastest',
      key: winner,
      html: (row) =>
        row.winner
          ? `${format.escape(winner(row))} <span class="note">${format.percent(row.winner.wins / row.problems)}</span>`
          : format.missing,
    },
    {
      title: 'mean',
      hint: 'mean over the problems of the time of the fastest solver',
      numeric: true,
      key: (row) => row.fastest.mean,
      html: (row) => format.time(row.fastest.mean),
    },
    {
      title: 'deviation',
      hint: 'standard deviation of the same',
      numeric: true,
      key: (row) => row.fastest.deviation,
      html: (row) => format.time(row.fastest.deviation),
    },
    {
      title: 'mean / contact',
      hint: 'mean of the same divided by the number of contacts',
      numeric: true,
      key: (row) => row.fastest_per_contact.mean,
      html: (row) => format.time(row.fastest_per_contact.mean),
    },
    {
      title: 'deviation / contact',
      numeric: true,
      key: (row) => row.fastest_per_contact.deviation,
      html: (row) => format.time(row.fastest_per_contact.deviation),
    },
    {
      title: 'unsolved',
      hint: 'problems that none of the chosen solvers solved',
      numeric: true,
      key: (row) => row.unsolved,
      html: (row) => (row.unsolved > 0 ? `<strong>${format.count(row.unsolved)}</strong>` : '0'),
    },
  ]);
  state.follow(() => {
    looks.show([...state.sets].sort((a, b) => a - b));
    speeds.show(set_speeds(state.results, state.chosen_solvers(), state.chosen_instances()));
  }, by_id('sets'));
}
