// The page: reads the campaign from the document, builds the views, switches between light and dark, and prints.
import {BarChart, LineChart} from 'echarts/charts';
import {GridComponent, LegendComponent, MarkLineComponent, TooltipComponent} from 'echarts/components';
import * as echarts from 'echarts/core';
import {CanvasRenderer} from 'echarts/renderers';
import type {Mode} from './colours.ts';
import {Results, type Campaign} from './data.ts';
import {by_id} from './dom.ts';
import {show_filters} from './filters.ts';
import {MatrixView} from './matrix_view.ts';
import {show_overview} from './overview_view.ts';
import {PanelView} from './panel_view.ts';
import {ProfileView} from './profile_view.ts';
import {show_sets} from './set_view.ts';
import {show_solved} from './solved_view.ts';
import {State} from './state.ts';

echarts.use([LineChart, BarChart, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, CanvasRenderer]);

const results = new Results(JSON.parse(by_id('campaign').textContent!) as Campaign);
const state = new State(results);

const dark = window.matchMedia('(prefers-color-scheme: dark)');
let wanted: Mode | null = null;
const theme_button = by_id<HTMLButtonElement>('theme');
function apply_mode(mode: Mode) {
  state.mode = mode;
  document.documentElement.dataset.mode = mode;
  theme_button.setAttribute('aria-pressed', String(mode === 'dark'));
}
const current_mode = (): Mode => wanted ?? (dark.matches ? 'dark' : 'light');
apply_mode(current_mode());
theme_button.addEventListener('click', () => {
  wanted = state.mode === 'dark' ? 'light' : 'dark';
  apply_mode(wanted);
  state.tell();
});
dark.addEventListener('change', () => {
  apply_mode(current_mode());
  state.tell();
});

show_overview(results);
let profile: ProfileView | null = null;
show_filters(state, (solver) => profile?.highlight(solver));
profile = new ProfileView(state);
show_sets(state);
const solved = show_solved(state);
let matrix: MatrixView | null = null;
const panel = new PanelView(state, () => matrix?.focus());
matrix = new MatrixView(state, (cell) => panel.open(cell));

// Paper is light, and has a width of its own, which the class `printing` has as well: figures cannot wait for the paper.
const relayout = () => {
  profile.resize();
  solved.resize();
  matrix.resize();
  panel.resize();
};
window.addEventListener('beforeprint', () => {
  document.body.classList.add('printing');
  for (const details of document.querySelectorAll('details')) {
    if (!details.open) details.dataset.folded = '';
    details.open = true;
  }
  apply_mode('light');
  state.tell('all');
  relayout();
});
window.addEventListener('afterprint', () => {
  document.body.classList.remove('printing');
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-folded]')) {
    details.open = false;
    delete details.dataset.folded;
  }
  apply_mode(current_mode());
  state.tell();
  relayout();
});
const wide = window.matchMedia('(min-width: 900px)');
const fold = () => {
  if (!document.body.classList.contains('printing')) by_id<HTMLDetailsElement>('filter-box').open = wide.matches;
};
wide.addEventListener('change', fold);
fold();
document.documentElement.dataset.ready = 'true';
