// The panel beside the matrix: one solve, its history, and the other solvers on the same problem.
import * as echarts from 'echarts/core';
import {history_option, type HistoryLine} from './charts.ts';
import {ink_on, outcome_look, solver_look} from './colours.ts';
import {by_id, choice, element, page_theme} from './dom.ts';
import * as format from './format.ts';
import type {Cell} from './matrix_view.ts';
import type {State} from './state.ts';

export class PanelView {
  private readonly panel = by_id('panel');
  private cell: Cell | null = null;
  private against: 'iterations' | 'time' = 'iterations';
  private chart: echarts.ECharts | null = null;

  constructor(
    private readonly state: State,
    private readonly closed: () => void,
  ) {
    by_id('panel-close').addEventListener('click', () => this.close());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.cell) this.close();
    });
    by_id('panel-choice').append(
      choice(
        'error against',
        [
          ['iterations', 'iterations'],
          ['time', 'time'],
        ] as ['iterations' | 'time', string][],
        'iterations',
        (value) => {
          this.against = value;
          this.draw();
        },
      ),
    );
    state.follow(() => this.cell && this.open(this.cell));
  }

  open(cell: Cell) {
    this.cell = cell;
    this.panel.hidden = false;
    document.body.classList.add('panel-open');
    const {results, mode} = this.state;
    const {campaign} = results;
    const {rows, problems} = campaign;
    const one = results.instances[cell.instance];
    const status = results.status_of(cell.row);
    const look = outcome_look(status, mode);
    by_id('panel-title').textContent = campaign.solvers.label[cell.solver];
    by_id('panel-problem').textContent = `${problems.name[one.problem]} · ${campaign.sets[one.set]}`;
    const picture = problems.picture[one.problem];
    if (picture)
      by_id('panel-problem').append(' · ', element('a', {href: picture, target: '_blank', rel: 'noopener'}, 'picture'));
    const chip = by_id('panel-status');
    chip.textContent = format.words(status);
    chip.style.background = look.colour;
    chip.style.color = ink_on(look.colour);
    const {row} = cell;
    const facts: [string, string][] = [];
    const fact = (name: string, value: string) => {
      if (value !== format.missing && value !== '' && value !== '0 s') facts.push([name, value]);
    };
    if (row >= 0) {
      fact(
        'error',
        `${format.number(rows.error[row])}  (tolerance ${format.power(campaign.tolerances[one.tolerance])})`,
      );
      if (
        rows.reported[row] !== null &&
        rows.error[row] !== null &&
        Math.abs(rows.reported[row]! / rows.error[row]! - 1) > 0.01
      )
        fact('error reported', format.number(rows.reported[row]));
      fact('iterations', format.count(rows.iterations[row]));
      const spread = rows.spread[row];
      fact(
        'time',
        format.time(rows.seconds[row]) +
          (rows.repetitions[row] > 1
            ? `  (least of ${rows.repetitions[row]}${spread === null ? '' : `, noise ${format.percent(spread)}`})`
            : ''),
      );
      fact('processor time', format.time(rows.cpu[row]));
      fact('setup', format.time(rows.setup[row]));
      fact('factorisation', format.time(rows.factorisation[row]));
      fact('memory', rows.memory[row] === null ? '' : `${format.number(rows.memory[row]! / 2 ** 20)} MiB`);
      fact('machine load', format.number(rows.load[row]));
    }
    fact('time limit', format.time(campaign.limits[one.limit]));
    fact('contacts', format.count(problems.contacts[one.problem]));
    fact('density c', format.number(problems.density[one.problem]));
    if (row >= 0) {
      fact('composition', campaign.texts[rows.used[row]] || campaign.solvers.composition[cell.solver]);
      fact('message', campaign.texts[rows.message[row]]);
    }
    by_id('panel-facts').replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
    this.others();
    this.draw();
  }

  close() {
    this.cell = null;
    this.panel.hidden = true;
    document.body.classList.remove('panel-open');
    this.closed();
  }
  resize() {
    if (this.cell) this.chart?.resize();
  }

  /** The chosen solvers on the same problem, the fastest first; those that failed after them. */
  private others() {
    const {results} = this.state;
    const {campaign} = results;
    const {instance, solver: shown} = this.cell!;
    const list = this.state
      .chosen_solvers()
      .map((solver) => ({solver, row: results.row_of(instance, solver)}))
      .filter(({row}) => row >= 0);
    const time = (row: number) => campaign.rows.seconds[row] ?? Infinity;
    list.sort(
      (a, b) => Number(results.is_solved(b.row)) - Number(results.is_solved(a.row)) || time(a.row) - time(b.row),
    );
    const body = list.map(({solver, row}) => {
      const button = element('button', {type: 'button', class: 'link'}, campaign.solvers.label[solver]);
      button.addEventListener('click', () => this.open({solver, instance, row}));
      const line = element(
        'tr',
        solver === shown ? {class: 'shown', 'aria-current': 'true'} : {},
        element('th', {scope: 'row', title: campaign.solvers.label[solver]}, button),
        element('td', {}, format.words(results.status_of(row))),
        element('td', {class: 'numeric'}, format.count(campaign.rows.iterations[row])),
        element('td', {class: 'numeric'}, format.time(campaign.rows.seconds[row])),
      );
      return line;
    });
    by_id('panel-others').replaceChildren(...body);
  }

  private draw() {
    const {results, mode} = this.state;
    const {campaign} = results;
    const {instance, row} = this.cell!;
    const place = by_id('panel-chart');
    const has = row >= 0 && campaign.history[row] !== undefined;
    by_id('panel-history').hidden = !has;
    by_id('panel-no-history').hidden = has;
    if (!has) return;
    const lines: HistoryLine[] = [];
    for (const solver of new Set([...this.state.chosen_solvers(), this.cell!.solver])) {
      const other = results.row_of(instance, solver);
      const history = other >= 0 ? campaign.history[other] : undefined;
      if (!history) continue;
      const x = this.against === 'time' ? history.seconds : history.iteration;
      lines.push({
        label: campaign.solvers.label[solver],
        look: solver_look(solver, mode),
        main: other === row,
        points: x.map((value, k) => [value, 10 ** (history.error[k] / 100)] as [number, number]),
      });
    }
    this.chart ??= echarts.init(place);
    this.chart.resize();
    this.chart.setOption(
      history_option(lines, campaign.tolerances[results.instances[instance].tolerance], this.against, page_theme(mode)),
      {notMerge: true},
    );
    place.setAttribute(
      'aria-label',
      `Error of ${campaign.solvers.label[this.cell!.solver]} against ${this.against}, with ${lines.length - 1} other solvers`,
    );
  }
}
