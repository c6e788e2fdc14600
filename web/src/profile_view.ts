// The performance profiles, with a reading of all curves at the pointer and a table of the same below.
import * as echarts from 'echarts/core';
import {abscissa_range, abscissa_value, profile_option, type ProfileFigure} from './charts.ts';
import {solver_look} from './colours.ts';
import {compare, cost_of, measure_of, type Comparison, type Cost, type Measure} from './costs.ts';
import {by_id, choice, element, page_theme, SortedTable} from './dom.ts';
import * as format from './format.ts';
import {value_at} from './profile.ts';
import type {State} from './state.ts';

interface SolverLine {
  solver: number;
  label: string;
  run: number;
  solved: number;
  fastest: number;
  within_2: number;
  within_10: number;
  median: number | null;
}

export class ProfileView {
  private cost: Cost = 'time';
  private measure: Measure = 'relative';
  private scale: 'log' | 'linear' = 'log';
  private limit = 'auto';
  private figure: ProfileFigure | null = null;
  private comparison: Comparison | null = null;
  private shown: number[] = [];
  private readonly chart: echarts.ECharts;
  private readonly table: SortedTable<SolverLine>;
  private pointer: [number, number] = [0, 0];
  private marked: number | null = null;

  constructor(private readonly state: State) {
    this.controls();
    const place = by_id('profile-chart');
    this.chart = echarts.init(place);
    new ResizeObserver(() => this.chart.resize()).observe(place);
    this.chart.getZr().on('mousemove', (event: {offsetX: number; offsetY: number}) => {
      this.pointer = [event.offsetX, event.offsetY];
    });
    this.chart.getZr().on('globalout', () => this.mark(null));
    this.chart.getZr().on('click', () => {
      if (this.marked !== null)
        document.querySelector<HTMLElement>(`.solvers li[data-number="${this.shown[this.marked]}"] input`)?.focus();
    });
    const share = (value: number) => (Number.isNaN(value) ? format.missing : format.percent(value));
    this.table = new SortedTable<SolverLine>(by_id('profile-table'), 'Solvers on the chosen problems', [
      {title: 'solver', key: (row) => row.label, html: (row) => format.escape(row.label)},
      {
        title: 'solved',
        key: (row) => row.solved,
        html: (row) => `${format.count(row.solved)} / ${format.count(row.run)}`,
        numeric: true,
      },
      {
        title: 'fastest',
        hint: 'ρ(1): share of the problems on which no chosen solver was faster',
        key: (row) => row.fastest,
        html: (row) => share(row.fastest),
        numeric: true,
      },
      {title: 'within 2×', hint: 'ρ(2)', key: (row) => row.within_2, html: (row) => share(row.within_2), numeric: true},
      {
        title: 'within 10×',
        hint: 'ρ(10)',
        key: (row) => row.within_10,
        html: (row) => share(row.within_10),
        numeric: true,
      },
      {
        title: 'median time',
        hint: 'of the solves that reached the tolerance',
        key: (row) => row.median,
        html: (row) => format.time(row.median),
        numeric: true,
      },
    ]);
    state.follow(() => this.update(), by_id('profiles'));
  }

  /** Brings the curve of a solver to the front; null lets all return. */
  highlight(solver: number | null) {
    const place = solver === null ? -1 : this.shown.indexOf(solver);
    this.mark(place < 0 ? null : place);
  }
  private mark(place: number | null) {
    if (place === this.marked) return;
    this.marked = place;
    this.chart.dispatchAction({type: 'downplay'});
    if (place !== null) this.chart.dispatchAction({type: 'highlight', seriesIndex: place});
  }
  /** At once, without waiting for the next frame. */
  resize() {
    this.chart.resize();
    this.chart.getZr().flush();
  }

  private controls() {
    const place = by_id('profile-controls');
    const again = () => this.update();
    const measure = choice<Measure>(
      'measured',
      [
        ['relative', 'against the best'],
        ['absolute', 'absolute'],
      ],
      'relative',
      (value) => {
        this.measure = value;
        again();
      },
    );
    const limits = element('select', {'aria-label': 'largest τ shown'});
    for (const [value, text] of [
      ['auto', 'automatic'],
      ['2', '2'],
      ['5', '5'],
      ['10', '10'],
      ['20', '20'],
      ['100', '100'],
      ['1000', '1000'],
      ['all', 'all'],
    ])
      limits.append(element('option', {value}, text));
    limits.addEventListener('change', () => {
      this.limit = limits.value;
      again();
    });
    const limit = element('fieldset', {class: 'choice'}, element('legend', {}, 'τ up to'), limits);
    place.append(
      choice<Cost>(
        'cost',
        [
          ['time', 'time'],
          ['iterations', 'iterations'],
          ['time_per_contact', 'time per contact'],
        ],
        'time',
        (value) => {
          this.cost = value;
          again();
        },
      ),
      measure,
      choice(
        'scale',
        [
          ['log', 'log'],
          ['linear', 'linear'],
        ] as ['log' | 'linear', string][],
        'log',
        (value) => {
          this.scale = value;
          again();
        },
      ),
      limit,
    );
    this.refresh_controls = () => {
      // Dividing by the contacts of a problem changes no ratio: nothing to choose then.
      const fixed = this.cost === 'time_per_contact';
      (measure as HTMLFieldSetElement).disabled = fixed;
      measure.title = fixed
        ? 'The ratios of times per contact are those of the times, so that the times per contact themselves are shown.'
        : '';
      measure
        .querySelectorAll('input')
        .forEach((input) => (input.checked = input.value === measure_of(this.cost, this.measure)));
      (limit as HTMLFieldSetElement).disabled = measure_of(this.cost, this.measure) === 'absolute';
    };
  }
  private refresh_controls = () => {};

  private limit_of(measure: Measure): number | undefined {
    if (measure === 'absolute' || this.limit === 'all') return undefined;
    if (this.limit === 'auto') return this.scale === 'linear' ? 10 : undefined;
    return Number(this.limit);
  }

  private update() {
    this.refresh_controls();
    const {results} = this.state;
    const theme = page_theme(this.state.mode);
    const instances = this.state.chosen_instances();
    this.shown = this.state.chosen_solvers();
    const measure = measure_of(this.cost, this.measure);
    this.comparison = compare(results, this.shown, instances, this.cost, measure);
    this.figure = {
      profiles: this.comparison.profiles,
      labels: this.shown.map((solver) => results.campaign.solvers.label[solver]),
      looks: this.shown.map((solver) => solver_look(solver, this.state.mode)),
      cost: this.cost,
      measure,
      scale: this.scale,
      limit: this.limit_of(measure),
      legend: false,
    };
    const option = profile_option(this.figure, theme);
    option.tooltip = {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: theme.surface,
      borderColor: theme.grid,
      padding: [8, 12],
      textStyle: {color: theme.text, fontFamily: theme.font, fontSize: 12},
      axisPointer: {type: 'line', lineStyle: {color: theme.muted}, label: {show: false}},
      position: (
        point: [number, number],
        _params: unknown,
        _dom: unknown,
        _rect: unknown,
        size: {contentSize: [number, number]; viewSize: [number, number]},
      ) => {
        // Beside the pointer, and low, where the curves leave room.
        const [wide, tall] = size.contentSize;
        const x = point[0] + 30 + wide < size.viewSize[0] ? point[0] + 30 : point[0] - 30 - wide;
        return [x, Math.max(0, size.viewSize[1] - tall - 56)];
      },
      formatter: () => this.reading(),
    };
    Object.assign(option.xAxis as object, {axisPointer: {snap: false, triggerEmphasis: false}});
    this.mark(null);
    this.chart.setOption(option, {notMerge: true});
    this.describe();
    this.show_table(instances);
  }

  /** All curves at the τ below the pointer, the best first; the one nearest to the pointer is marked. */
  private reading(): string {
    const figure = this.figure!;
    const [low, high] = abscissa_range(figure);
    const [x, y] = this.chart.convertFromPixel({gridIndex: 0}, this.pointer) as [number, number];
    const tau = Math.min(Math.max(x, low), high);
    const values = figure.profiles.map((profile, at) => ({at, rho: value_at(profile, tau)}));
    const nearest = values.reduce(
      (best, one) => (Math.abs(one.rho - y) < Math.abs(best.rho - y) ? one : best),
      values[0],
    );
    // A curve within a finger's breadth of the pointer stands out.
    const close = nearest !== undefined && Math.abs(nearest.rho - y) * this.chart.getHeight() < 16;
    queueMicrotask(() => this.mark(close ? nearest.at : null));
    values.sort((a, b) => b.rho - a.rho);
    let shown = values.slice(0, 9);
    if (nearest && !shown.includes(nearest)) shown = [...shown.slice(0, 8), nearest];
    const lines = shown.map((one) => {
      const {colour} = figure.looks[one.at];
      return (
        `<tr${one === nearest ? ' class="nearest"' : ''}><td><i style="background:${colour}"></i>${format.escape(figure.labels[one.at])}</td>` +
        `<td>${one.rho.toFixed(3)}</td></tr>`
      );
    });
    const more = values.length - shown.length;
    const symbol = figure.measure === 'relative' ? 'τ = ' : '≤ ';
    return (
      `<table class="reading"><thead><tr><th>${symbol}${abscissa_value(tau, figure.cost, figure.measure)}</th>` +
      `<th>${figure.measure === 'relative' ? 'ρ(τ)' : 'solved'}</th></tr></thead><tbody>${lines.join('')}</tbody></table>` +
      (more > 0 ? `<div class="more">and ${more} more</div>` : '')
    );
  }

  private describe() {
    const {counted, left_out, unsolved} = this.comparison!;
    const parts: string[] = [];
    if (this.shown.length === 0) parts.push('Choose a solver to see its profile.');
    else if (counted === 0)
      parts.push('No problem was given to every chosen solver: choose fewer solvers, or other sets.');
    else {
      parts.push(
        `${format.count(counted)} problems` +
          (this.state.tolerances.size > 1 ? ', each tolerance counted as a problem of its own' : '') +
          '.',
      );
      if (left_out > 0)
        parts.push(`${format.count(left_out)} left out, since not every chosen solver was run on them.`);
      if (unsolved > 0) parts.push(`${format.count(unsolved)} solved by none of the chosen solvers.`);
      if (this.cost === 'time_per_contact') parts.push('Share of the problems solved within a time per contact.');
      else if (this.measure === 'relative')
        parts.push('ρ(τ): share of the problems solved at a cost of at most τ times that of the best chosen solver.');
    }
    by_id('profile-note').textContent = parts.join(' ');
    const figure = this.figure!;
    const leaders = figure.profiles.map((profile, at) => ({
      label: figure.labels[at],
      rho: value_at(profile, 1),
      all: profile.rho.at(-1) ?? 0,
    }));
    by_id('profile-chart').setAttribute(
      'aria-label',
      `Profiles of ${leaders.length} solvers on ${counted} problems. ` +
        leaders
          .slice(0, 20)
          .map((one) => `${one.label}: ${format.percent(one.all)} solved`)
          .join('; '),
    );
  }

  private show_table(instances: readonly number[]) {
    const {results} = this.state;
    const {profiles} =
      this.cost === 'time' && this.measure === 'relative'
        ? this.comparison!
        : compare(results, this.shown, instances, 'time', 'relative');
    const none = this.comparison!.counted === 0;
    this.table.show(
      this.shown.map((solver, at) => {
        const times: number[] = [];
        let run = 0;
        for (const instance of instances) {
          const row = results.row_of(instance, solver);
          if (row >= 0) ++run;
          const time = cost_of(results, row, 'time', 1);
          if (time < Infinity) times.push(time);
        }
        times.sort((a, b) => a - b);
        const rho = (tau: number) => (none ? NaN : value_at(profiles[at], tau));
        return {
          solver,
          label: results.campaign.solvers.label[solver],
          run,
          solved: times.length,
          fastest: rho(1),
          within_2: rho(2),
          within_10: rho(10),
          median: times.length ? times[Math.floor((times.length - 1) / 2)] : null,
        };
      }),
    );
  }
}
