// What is selected; every view follows it.
import type {Mode} from './colours.ts';
import type {Results} from './data.ts';

interface Listener {
  update: () => void;
  near: boolean;
  stale: boolean;
}

export class State {
  readonly solvers: Set<number>;
  readonly sets: Set<number>;
  readonly tolerances: Set<number>;
  mode: Mode = 'light';
  private readonly listeners: Listener[] = [];
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

  /** Calls `update` now and after every change; while `place` is far out of sight, only once it comes near. */
  follow(update: () => void, place?: Element) {
    const listener: Listener = {update, near: true, stale: false};
    this.listeners.push(listener);
    update();
    if (!place) return;
    const observer = new IntersectionObserver(
      (entries) => {
        listener.near = entries[entries.length - 1].isIntersecting;
        if (listener.near && listener.stale) this.refresh(listener);
      },
      {rootMargin: '300px'},
    );
    observer.observe(place);
  }
  /** Tells the views, once a frame at most. */
  changed() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.tell());
  }
  /** Tells the views at once; all of them, or those in sight. */
  tell(whom: 'near' | 'all' = 'near') {
    this.pending = false;
    for (const listener of this.listeners)
      if (listener.near || whom === 'all') this.refresh(listener);
      else listener.stale = true;
  }
  private refresh(listener: Listener) {
    listener.stale = false;
    listener.update();
  }
}
