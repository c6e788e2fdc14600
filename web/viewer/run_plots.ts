// The plots below a record: energy, dissipation, contacts, iterations and error of every step.
import {by_id} from '../src/dom.ts';
import type {RunSource, StepColumns} from './data.ts';
import {tell_trouble} from './messages.ts';
import {Plot, type PlotData} from './plot.ts';

const one = (name: string, values: number[], colour: string) => [{name, colour, values}];

function plot_data(s: StepColumns): PlotData[] {
  const energy = [
    {name: 'kinetic', colour: '#d55e00', values: s.kinetic},
    {name: 'potential', colour: '#0072b2', values: s.potential},
  ];
  if (s.elastic.some((value) => value !== 0)) energy.push({name: 'elastic', colour: '#009e73', values: s.elastic});
  const total = s.time.map((_, k) => s.kinetic[k] + s.potential[k] + s.elastic[k]);
  energy.push({name: 'sum', colour: '#8a8f98', values: total});
  return [
    {x: s.time, lines: energy, unit: 'J'},
    {x: s.time, lines: one('dissipated', s.dissipated, '#cc79a7'), unit: 'J'},
    {x: s.time, lines: one('contacts', s.contacts, '#0072b2'), unit: ''},
    {x: s.time, lines: one('iterations', s.iterations, '#009e73'), unit: ''},
    {x: s.time, lines: one('error', s.error, '#d55e00'), unit: '', log: true},
  ];
}

export class RunPlots {
  private readonly plots: Plot[];
  private time = 0;

  constructor(
    private readonly source: RunSource,
    seek: (time: number) => void,
  ) {
    const titles = ['energy', 'dissipated', 'contacts', 'iterations', 'error'];
    this.plots = titles.map((title) => new Plot(title, seek));
    by_id('plots').replaceChildren(...this.plots.map(({element: figure}) => figure));
  }

  async update() {
    try {
      const steps = await this.source.steps(1200);
      if (steps.time.length === 0) return by_id('plots').replaceChildren();
      plot_data(steps).forEach((each, k) => this.plots[k].show(each));
      this.mark(this.time);
    } catch (error) {
      tell_trouble((error as Error).message);
    }
  }

  mark(time: number) {
    this.time = time;
    for (const plot of this.plots) plot.mark(time);
  }

  redraw() {
    for (const plot of this.plots) plot.redraw();
  }
}
