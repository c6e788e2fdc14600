// The figures as SVG files, by node:  node render_figures.mjs CAMPAIGN.json FOLDER [by_set]. With by_set the profiles of time are
// drawn for each set as well.
import {BarChart, LineChart} from 'echarts/charts';
import {GridComponent, LegendComponent} from 'echarts/components';
import * as echarts from 'echarts/core';
import {SVGRenderer} from 'echarts/renderers';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {paper_theme, profile_option, solved_height, solved_option} from './charts.ts';
import {solver_look} from './colours.ts';
import {compare, measure_of, type Cost} from './costs.ts';
import {Results, type Campaign} from './data.ts';
import {solved_counts} from './statistics.ts';

echarts.use([LineChart, BarChart, GridComponent, LegendComponent, SVGRenderer]);

function write(path: string, option: echarts.EChartsCoreOption, width: number, height: number) {
  const chart = echarts.init(null, null, {renderer: 'svg', ssr: true, width, height});
  chart.setOption(option);
  // librsvg does not know dominant-baseline; a third of the letters' height does the same.
  writeFileSync(path, chart.renderToSVGString().replaceAll('dominant-baseline="central"', 'dy="0.35em"'));
  chart.dispose();
}

const [campaign_file, folder, by_set] = process.argv.slice(2);
const results = new Results(JSON.parse(readFileSync(campaign_file, 'utf8')) as Campaign);
const {solvers, tolerances, sets} = results.campaign;
const everyone = solvers.label.map((_, solver) => solver);
const every_set = new Set(sets.keys());

function draw_profile(instances: number[], those: number[], cost: Cost, scale: 'log' | 'linear', name: string) {
  const measure = measure_of(cost, 'relative');
  const {profiles, counted} = compare(results, those, instances, cost, measure);
  if (counted === 0) return; // no problem that all of them were given
  write(
    join(folder, `profile_${name}_${scale}.svg`),
    profile_option(
      {
        profiles,
        labels: those.map((solver) => solvers.label[solver]),
        looks: those.map((solver) => solver_look(solver, 'light')),
        cost,
        measure,
        scale,
        limit: scale === 'linear' ? 10 : undefined,
        legend: true,
      },
      paper_theme,
    ),
    760,
    Math.max(360, 40 + 22 * those.length),
  );
}

tolerances.forEach((tolerance, at) => {
  const precision = tolerance.toExponential().replace('+', '');
  const instances = results.within(every_set, new Set([at]));
  for (const cost of ['time', 'iterations', 'time_per_contact'] as Cost[])
    for (const scale of cost === 'time_per_contact' ? (['log'] as const) : (['log', 'linear'] as const))
      draw_profile(instances, everyone, cost, scale, `${cost}_${precision}`);
  if (!by_set) return;
  sets.forEach((set, number) => {
    const within = results.within(new Set([number]), new Set([at]));
    const those = everyone.filter((solver) => within.some((one) => results.row_of(one, solver) >= 0));
    if (within.length > 0)
      draw_profile(within, those, 'time', 'log', `time_${set.replace(/[^\w.-]+/g, '_')}_${precision}`);
  });
});

const everything = results.within(every_set, new Set(tolerances.keys()));
const figure = {
  counts: solved_counts(results, everyone, everything),
  solvers: everyone,
  labels: solvers.label,
  tolerances: [...tolerances.keys()],
};
write(join(folder, 'solved.svg'), solved_option(figure, tolerances, paper_theme, true), 760, solved_height(figure));
