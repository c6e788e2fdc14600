// The figures as SVG files, by node:  node render_figures.mjs CAMPAIGN.json FOLDER. Prints the names of the files, one a line.
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
  writeFileSync(path, chart.renderToSVGString());
  chart.dispose();
}

const [campaign_file, folder] = process.argv.slice(2);
const results = new Results(JSON.parse(readFileSync(campaign_file, 'utf8')) as Campaign);
const {solvers, tolerances, sets} = results.campaign;
const everyone = solvers.label.map((_, solver) => solver);
const every_set = new Set(sets.keys());
const written: string[] = [];

tolerances.forEach((tolerance, at) => {
  const instances = results.within(every_set, new Set([at]));
  for (const cost of ['time', 'iterations', 'time_per_contact'] as Cost[])
    for (const scale of cost === 'time_per_contact' ? (['log'] as const) : (['log', 'linear'] as const)) {
      const measure = measure_of(cost, 'relative');
      const {profiles} = compare(results, everyone, instances, cost, measure);
      const name = `profile_${cost}_${tolerance.toExponential().replace('e-', 'e-').replace('+', '')}_${scale}.svg`;
      const height = Math.max(360, 40 + 22 * everyone.length);
      write(join(folder, name),
            profile_option({profiles, labels: solvers.label, looks: everyone.map((solver) => solver_look(solver, 'light')), cost,
                            measure, scale, limit: scale === 'linear' ? 10 : undefined, legend: true}, paper_theme), 760, height);
      written.push(name);
    }
});

const everything = results.within(every_set, new Set(tolerances.keys()));
const figure = {counts: solved_counts(results, everyone, everything), solvers: everyone, labels: solvers.label,
                tolerances: [...tolerances.keys()]};
write(join(folder, 'solved.svg'), solved_option(figure, tolerances, paper_theme, true), 760, solved_height(figure));
written.push('solved.svg');
console.log(written.join('\n'));
