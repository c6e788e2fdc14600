// The figures as ECharts options, shared by the page (canvas) and by the files for papers (SVG).
import type {EChartsCoreOption} from 'echarts/core';
import {tolerance_colour, type LineLook, type Mode} from './colours.ts';
import type {Cost, Measure} from './costs.ts';
import * as format from './format.ts';
import type {Profile} from './profile.ts';
import type {SolvedCount} from './statistics.ts';

export interface Theme {
  mode: Mode;
  text: string;
  muted: string;
  grid: string;
  surface: string;
  font: string;
}

export const paper_theme: Theme = {
  mode: 'light',
  text: '#1a1d21',
  muted: '#4a5058',
  grid: '#e2e5e9',
  surface: '#ffffff',
  font: 'Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif',
};

export const cost_names: Record<Cost, string> = {
  time: 'time',
  iterations: 'iterations',
  time_per_contact: 'time per contact',
};

/** What stands below the abscissa. */
export function abscissa_name(cost: Cost, measure: Measure): string {
  if (measure === 'relative') return `τ  (${cost_names[cost]}, relative to the best solver)`;
  return cost === 'iterations' ? 'iterations' : `${cost_names[cost]}`;
}

export function abscissa_value(value: number, cost: Cost, measure: Measure): string {
  if (measure === 'relative') return format.number(value);
  return cost === 'iterations' ? format.number(Math.round(value)) : format.time(value);
}

function axis(theme: Theme) {
  return {
    axisLine: {show: true, lineStyle: {color: theme.muted}},
    axisTick: {lineStyle: {color: theme.muted}},
    axisLabel: {color: theme.muted, fontFamily: theme.font, fontSize: 12},
    nameTextStyle: {color: theme.text, fontFamily: theme.font, fontSize: 13},
    splitLine: {lineStyle: {color: theme.grid}},
  };
}

export interface ProfileFigure {
  profiles: Profile[];
  labels: string[];
  looks: LineLook[];
  cost: Cost;
  measure: Measure;
  scale: 'log' | 'linear';
  /** Largest τ shown; all where it is not given. */
  limit?: number;
  /** A legend inside the figure, for files. */
  legend: boolean;
}

/** The interval of the abscissa: from 1 or the smallest cost to the largest ratio or cost, never empty. */
export function abscissa_range(figure: ProfileFigure): [number, number] {
  let low = figure.measure === 'relative' ? 1 : Infinity;
  let high = -Infinity;
  for (const {x} of figure.profiles) {
    if (x.length === 0) continue;
    low = Math.min(low, x[0]);
    high = Math.max(high, x[x.length - 1]);
  }
  if (high === -Infinity) return [1, 10];
  if (figure.measure === 'absolute') low = figure.scale === 'log' ? low / 1.2 : 0;
  high *= figure.scale === 'log' ? 1.2 : 1.02;
  if (figure.limit !== undefined) high = Math.min(Math.max(high, 1.5), figure.limit);
  return high > low ? [low, high] : [low, 2 * low + 1e-12];
}

/** The corners of the step function on [low, high]. */
function corners(profile: Profile, low: number, high: number): [number, number][] {
  const points: [number, number][] = [];
  let level = 0;
  if (!(profile.x[0] <= low)) points.push([low, 0]);
  for (let k = 0; k < profile.x.length && profile.x[k] <= high; ++k) {
    if (points.length > 0) points.push([profile.x[k], level]);
    level = profile.rho[k];
    points.push([profile.x[k], level]);
  }
  points.push([high, level]);
  return points;
}

/** A base whose powers give two to nine marks: ECharts marks every tenth power only where there would be more. */
function log_base(low: number, high: number, bases: number[]): number {
  return bases.find((base) => Math.log(high / low) / Math.log(base) < 9) ?? bases[bases.length - 1];
}
const ratio_bases = [2, 10, 100, 1000];
const decades = [10, 100, 1000, 1e4];

export function profile_option(figure: ProfileFigure, theme: Theme): EChartsCoreOption {
  const [low, high] = abscissa_range(figure);
  const common = axis(theme);
  return {
    animation: false,
    backgroundColor: figure.legend ? theme.surface : 'transparent',
    textStyle: {fontFamily: theme.font, color: theme.text},
    grid: {left: 56, right: figure.legend ? label_width(figure.labels) + 54 : 18, top: 14, bottom: 50},
    legend: figure.legend
      ? {
          orient: 'vertical',
          right: 8,
          top: 10,
          itemWidth: 30,
          itemHeight: 8,
          itemGap: 7,
          itemStyle: {opacity: 0},
          selectedMode: false,
          textStyle: {color: theme.text, fontFamily: theme.font, fontSize: 12, width: 170, overflow: 'truncate'},
          data: figure.labels,
        }
      : {show: false},
    xAxis: {
      ...common,
      type: figure.scale === 'log' ? 'log' : 'value',
      logBase: log_base(
        low,
        high,
        figure.measure === 'relative' || figure.cost === 'iterations' ? ratio_bases : decades,
      ),
      min: low,
      max: high,
      name: abscissa_name(figure.cost, figure.measure),
      nameLocation: 'middle',
      nameGap: 30,
      axisLabel: {
        ...common.axisLabel,
        hideOverlap: true,
        showMinLabel: figure.measure === 'relative',
        showMaxLabel: false,
        formatter: (value: number) => abscissa_value(value, figure.cost, figure.measure),
      },
      splitLine: {...common.splitLine, show: figure.scale === 'log' || figure.measure === 'relative'},
    },
    yAxis: {
      ...common,
      type: 'value',
      min: 0,
      max: 1,
      interval: 0.2,
      name: figure.measure === 'relative' ? 'ρ(τ)' : 'share solved',
      nameLocation: 'middle',
      nameGap: 38,
      axisLabel: {...common.axisLabel, formatter: (value: number) => value.toFixed(1)},
    },
    series: figure.profiles.map((profile, at) => ({
      type: 'line',
      name: figure.labels[at],
      showSymbol: false,
      symbol: 'none',
      z: 2 + at / 1000,
      silent: true, // the page finds the curve nearest to the pointer by itself
      lineStyle: {color: figure.looks[at].colour, type: figure.looks[at].dash, width: 2, join: 'miter'},
      itemStyle: {color: figure.looks[at].colour},
      emphasis: {focus: 'series', lineStyle: {width: 3.5}},
      blur: {lineStyle: {opacity: 0.15}},
      data: corners(profile, low, high),
    })),
  };
}

/** A width for labels beside bars. */
export function label_width(labels: readonly string[]): number {
  return Math.min(220, 22 + 7.4 * Math.max(0, ...labels.map((label) => label.length)));
}

export interface SolvedFigure {
  counts: SolvedCount[];
  solvers: number[];
  labels: string[];
  tolerances: number[];
}

/** A height at which the bars can be told apart. */
export function solved_height(figure: SolvedFigure): number {
  return 78 + figure.solvers.length * (10 + 14 * figure.tolerances.length);
}

export function solved_option(
  figure: SolvedFigure,
  tolerance_values: readonly number[],
  theme: Theme,
  ground: boolean,
): EChartsCoreOption {
  const common = axis(theme);
  const of = (solver: number, tolerance: number) =>
    figure.counts.find((one) => one.solver === solver && one.tolerance === tolerance) ?? {solved: 0, run: 0};
  return {
    animation: false,
    backgroundColor: ground ? theme.surface : 'transparent',
    textStyle: {fontFamily: theme.font, color: theme.text},
    legend: {
      show: true,
      top: 0,
      left: 0,
      itemWidth: 12,
      itemHeight: 12,
      selectedMode: false,
      textStyle: {color: theme.text, fontFamily: theme.font, fontSize: 12},
    },
    grid: {left: label_width(figure.labels), right: 96, top: 30, bottom: 40},
    xAxis: {
      ...common,
      type: 'value',
      name: 'problems solved',
      nameLocation: 'middle',
      nameGap: 26,
      minInterval: 1,
      axisLabel: {...common.axisLabel, formatter: (value: number) => format.count(value)},
    },
    yAxis: {
      ...common,
      type: 'category',
      inverse: true,
      data: figure.labels,
      axisTick: {show: false},
      splitLine: {show: false},
      axisLabel: {
        ...common.axisLabel,
        color: theme.text,
        interval: 0,
        width: label_width(figure.labels) - 14,
        overflow: 'truncate',
      },
    },
    series: figure.tolerances.map((tolerance, at) => ({
      type: 'bar',
      name: `tolerance ${format.power(tolerance_values[tolerance])}`,
      barMaxWidth: 14,
      barGap: '10%',
      itemStyle: {color: tolerance_colour(at, figure.tolerances.length, theme.mode), borderRadius: [0, 2, 2, 0]},
      label: {
        show: true,
        position: 'right',
        color: theme.muted,
        fontFamily: theme.font,
        fontSize: 11,
        formatter: (item: {dataIndex: number}) => {
          const {solved, run} = of(figure.solvers[item.dataIndex], tolerance);
          return run === 0 ? 'not run' : `${format.count(solved)} / ${format.count(run)}`;
        },
      },
      data: figure.solvers.map((solver) => of(solver, tolerance).solved),
    })),
  };
}

export interface HistoryLine {
  label: string;
  look: LineLook;
  points: [number, number][];
  main: boolean;
}

/** Error against iterations or time; the tolerance is a thin line. */
export function history_option(
  lines: HistoryLine[],
  tolerance: number,
  against: 'iterations' | 'time',
  theme: Theme,
): EChartsCoreOption {
  const common = axis(theme);
  // Solvers that need much longer must not squeeze the one that is looked at.
  const last = lines.find((line) => line.main)?.points.at(-1)?.[0] ?? 0;
  const longest = Math.max(0, ...lines.map((line) => line.points.at(-1)?.[0] ?? 0));
  const max = last > 0 && longest > 3 * last ? 3 * last : undefined;
  const errors = lines.flatMap((line) => line.points.map(([, error]) => error));
  const spread = [
    errors.reduce((a, b) => Math.min(a, b), tolerance),
    errors.reduce((a, b) => Math.max(a, b), tolerance),
  ];
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: {fontFamily: theme.font, color: theme.text},
    grid: {left: 62, right: 14, top: 10, bottom: 44},
    tooltip: {
      trigger: 'item',
      confine: true,
      backgroundColor: theme.surface,
      borderColor: theme.grid,
      textStyle: {color: theme.text, fontFamily: theme.font, fontSize: 12},
      formatter: (item: {seriesName: string; value: [number, number]}) =>
        `${format.escape(item.seriesName)}<br>${against === 'time' ? format.time(item.value[0]) : `iteration ${format.count(item.value[0])}`}` +
        `<br>error ${format.number(item.value[1])}`,
    },
    xAxis: {
      ...common,
      type: 'value',
      min: 0,
      max,
      name: against,
      nameLocation: 'middle',
      nameGap: 26,
      axisLabel: {
        ...common.axisLabel,
        hideOverlap: true,
        showMaxLabel: max === undefined,
        formatter: (value: number) => (against === 'time' ? format.time(value) : format.number(value)),
      },
    },
    yAxis: {
      ...common,
      type: 'log',
      logBase: log_base(spread[0], 10 * spread[1], decades),
      name: 'error',
      nameLocation: 'middle',
      nameGap: 46,
      axisLabel: {...common.axisLabel, hideOverlap: true, formatter: (value: number) => format.number(value)},
    },
    series: lines.map((line) => ({
      type: 'line',
      name: line.label,
      showSymbol: line.main && line.points.length < 60,
      symbolSize: 4,
      lineStyle: {
        color: line.look.colour,
        type: line.look.dash,
        width: line.main ? 2.5 : 1,
        opacity: line.main ? 1 : 0.6,
      },
      itemStyle: {color: line.look.colour},
      z: line.main ? 3 : 2,
      data: line.points,
      markLine: line.main
        ? {
            silent: true,
            symbol: 'none',
            label: {show: false},
            lineStyle: {color: theme.muted, type: 'dashed', width: 1},
            data: [{yAxis: tolerance}],
          }
        : undefined,
    })),
  };
}
