// What is selected; every view follows it.
import type {Mode} from './colours.ts';
import type {Results} from './data.ts';

export class State {
  readonly solvers: Set<number>;
  readonly sets: Set<number>;
  readonly tolerances: Set<number>;
  mode: Mode = 'light';
  private readonly listeners: (() => void)[] = [];
  private pending = false;

  constructor(readonly results: Results) {
    const {campaign} = results;
    this.solvers = new Set(campaign.solvers.label.keys());
    this.sets = new Set(campaign.sets.keys());
    this.tolerances = new Set(campaign.tolerances.keys());
  }

  /** In the order of the campaign. */
  chosen_solvers(): number[] {
    return [...this.solvers].sort((a, b) => a - b);
  }
  chosen_instances(): number[] {
    return this.results.within(this.sets, this.tolerances);
  }

  follow(listener: () => void) {
    this.listeners.push(listener);
    listener();
  }
  /** Tells the views, once a frame at most. */
  changed() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.tell());
  }
  /** Tells the views at once. */
  tell() {
    this.pending = false;
    for (const listener of this.listeners) listener();
  }
}
