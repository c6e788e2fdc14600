// The side bar: solvers (it is the legend of every figure), sets and tolerances.
import {solver_look} from './colours.ts';
import {compare} from './costs.ts';
import {by_id, element, swatch} from './dom.ts';
import * as format from './format.ts';
import type {State} from './state.ts';

/** A list of checkboxes with "all" and "none", and "only" for each. */
class CheckList {
  private readonly boxes: HTMLInputElement[] = [];
  private readonly list: HTMLElement;

  constructor(
    place: HTMLElement,
    title: string,
    private readonly selection: Set<number>,
    labels: readonly string[],
    private readonly state: State,
    extra: [string, string, () => void][] = [],
  ) {
    const tools = element('span', {class: 'tools'});
    const add_tool = (text: string, hint: string, act: () => void) => {
      const button = element('button', {type: 'button', class: 'link', title: hint}, text);
      button.addEventListener('click', () => {
        act();
        this.apply();
      });
      tools.append(button);
    };
    add_tool('all', `all ${title}`, () => labels.forEach((_, at) => selection.add(at)));
    add_tool('none', `no ${title}`, () => selection.clear());
    for (const [text, hint, act] of extra) add_tool(text, hint, act);
    this.list = element('ul', {class: 'checks'});
    labels.forEach((label, at) => {
      const input = element('input', {type: 'checkbox'});
      input.addEventListener('change', () => {
        if (input.checked) selection.add(at);
        else selection.delete(at);
        this.apply();
      });
      const only = element('button', {type: 'button', class: 'link only', 'aria-label': `only ${label}`}, 'only');
      only.addEventListener('click', () => {
        selection.clear();
        selection.add(at);
        this.apply();
      });
      this.boxes.push(input);
      const text = element('span', {class: 'name', title: label}, label);
      this.list.append(
        element(
          'li',
          {'data-number': String(at)},
          element('label', {}, input, text, element('span', {class: 'note'})),
          only,
        ),
      );
    });
    const id = `list-${title}`;
    place.append(
      element(
        'section',
        {'aria-labelledby': id, class: `checklist ${title}`},
        element('header', {}, element('h2', {id}, title), tools),
        this.list,
      ),
    );
    this.refresh();
  }

  item(at: number): HTMLElement {
    return this.list.children[at] as HTMLElement;
  }
  refresh() {
    this.boxes.forEach((box, at) => {
      box.checked = this.selection.has(at);
      this.item(at).classList.toggle('off', !box.checked);
    });
  }
  private apply() {
    this.refresh();
    this.state.changed();
  }
}

/** `hovered` is told the solver under the pointer, or null. */
export function show_filters(state: State, hovered: (solver: number | null) => void) {
  const {campaign} = state.results;
  const place = by_id('filters');
  const best = () => {
    const all = [...campaign.solvers.label.keys()];
    const {profiles} = compare(state.results, all, state.chosen_instances(), 'time', 'relative');
    // The area below ρ against log τ up to 100.
    const area = profiles.map(({x, rho}) =>
      x.reduce((sum, tau, k) => sum + (rho[k] - (k ? rho[k - 1] : 0)) * Math.max(0, Math.log(100) - Math.log(tau)), 0),
    );
    state.solvers.clear();
    all
      .sort((a, b) => area[b] - area[a])
      .slice(0, 6)
      .forEach((solver) => state.solvers.add(solver));
  };
  new CheckList(place, 'tolerances', state.tolerances, campaign.tolerances.map(format.power), state);
  const many = campaign.solvers.label.length > 6;
  const solvers = new CheckList(
    place,
    'solvers',
    state.solvers,
    campaign.solvers.label,
    state,
    many ? [['best 6', 'the six with the largest area below their profile of time', best]] : [],
  );
  new CheckList(place, 'sets', state.sets, campaign.sets, state);

  campaign.solvers.label.forEach((_, solver) => {
    const item = solvers.item(solver);
    item.addEventListener('pointerenter', () => hovered(solver));
    item.addEventListener('pointerleave', () => hovered(null));
    item.addEventListener('focusin', () => hovered(solver));
    item.addEventListener('focusout', () => hovered(null));
  });
  state.follow(() => {
    const instances = state.chosen_instances();
    campaign.solvers.label.forEach((_, solver) => {
      const item = solvers.item(solver);
      const {colour, dash} = solver_look(solver, state.mode);
      item.querySelector('.swatch')?.remove();
      item.querySelector('input')!.after(swatch(colour, dash));
      let run = 0;
      let solved = 0;
      for (const at of instances) {
        const row = state.results.row_of(at, solver);
        if (row >= 0) ++run;
        if (state.results.is_solved(row)) ++solved;
      }
      const note = item.querySelector<HTMLElement>('.note')!;
      note.textContent = run === 0 ? format.missing : format.percent(solved / run);
      note.title = `solved ${format.count(solved)} of ${format.count(run)}`;
    });
  });
}
