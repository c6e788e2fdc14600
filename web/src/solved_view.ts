// How many problems each solver solved, by tolerance.
import * as echarts from 'echarts/core';
import {solved_height, solved_option} from './charts.ts';
import {by_id, page_theme} from './dom.ts';
import * as format from './format.ts';
import type {State} from './state.ts';
import {solved_counts} from './statistics.ts';

export function show_solved(state: State): {resize: () => void} {
  const place = by_id('solved-chart');
  const chart = echarts.init(place);
  new ResizeObserver(() => chart.resize()).observe(place);
  const {solvers, tolerances} = state.results.campaign;
  state.follow(() => {
    const chosen = state.chosen_solvers();
    const figure = {
      counts: solved_counts(state.results, chosen, state.chosen_instances()),
      solvers: chosen,
      labels: chosen.map((solver) => solvers.label[solver]),
      tolerances: [...state.tolerances].sort((a, b) => a - b),
    };
    place.style.height = `${solved_height(figure)}px`;
    place.setAttribute(
      'aria-label',
      'Problems solved. ' +
        figure.counts
          .map(
            (one) =>
              `${solvers.label[one.solver]} at ${format.power(tolerances[one.tolerance])}: ${one.solved} of ${one.run}`,
          )
          .join('; '),
    );
    chart.resize();
    chart.setOption(solved_option(figure, tolerances, page_theme(state.mode), false), {notMerge: true});
  }, by_id('solved'));
  return {
    resize: () => {
      chart.resize();
      chart.getZr().flush();
    },
  };
}
