// What was run, where and when: the head of the page and the section on the campaign at its end.
import {by_id, element} from './dom.ts';
import * as format from './format.ts';
import type {Results} from './data.ts';

export function show_overview(results: Results) {
  const {campaign} = results;
  document.title = `${campaign.title} · stickslip campaign`;
  by_id('title').textContent = campaign.title;
  const rows = campaign.rows.solver.length;
  const solved = campaign.rows.solved.reduce((sum, one) => sum + one, 0);
  const seconds = campaign.rows.seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const unsolved = results.instances.reduce((sum, _, at) => {
    for (let solver = 0; solver < results.solver_count; ++solver)
      if (results.is_solved(results.row_of(at, solver))) return sum;
    return sum + 1;
  }, 0);
  const totals: [string, string, string][] = [
    [format.count(rows), 'solves', `${format.percent(rows ? solved / rows : 0)} reached the tolerance`],
    [
      format.count(campaign.problems.name.length),
      'problems',
      `in ${format.count(campaign.sets.length)} set${campaign.sets.length === 1 ? '' : 's'}`,
    ],
    [
      format.count(campaign.solvers.label.length),
      'solvers',
      `tolerance ${campaign.tolerances.map(format.power).join(', ')}`,
    ],
    [format.count(unsolved), 'never solved', `of ${format.count(results.instances.length)} problems × tolerances`],
    [format.time(seconds), 'solving', 'sum over all solves'],
  ];
  by_id('totals').append(
    ...totals.map(([value, name, note]) =>
      element(
        'div',
        {class: 'total'},
        element('b', {}, value),
        element('span', {class: 'what'}, name),
        element('span', {class: 'note'}, note),
      ),
    ),
  );
  if (campaign.warnings.length > 0) {
    by_id('warnings').append(...campaign.warnings.map((text) => element('li', {}, text)));
    by_id('warnings').hidden = false;
  }
  by_id('facts').append(
    ...campaign.facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  );
  by_id('lead').textContent = campaign.facts
    .filter(([name]) => ['machine', 'processor', 'run'].includes(name))
    .map(([, value]) => value)
    .join(' · ');
  by_id('plan').textContent = campaign.plan || 'No plan is stored with this campaign.';
  by_id('solver-list').append(
    ...campaign.solvers.label.flatMap((label, at) => [
      element('dt', {}, label),
      element('dd', {}, campaign.solvers.composition[at] || campaign.solvers.given[at]),
    ]),
  );
}
