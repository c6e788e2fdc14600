// The controls beside a record: bodies, contacts, groups, view.
import * as format from '../src/format.ts';
import {by_id, element} from '../src/dom.ts';
import {body_colours, type BodyColour} from './body_values.ts';
import {button, check, section, select, slider, type Check} from './controls.ts';
import type {View} from './eye.ts';
import {say} from './messages.ts';
import {group_colours, obstacle_colours, status_colours, status_names} from './palette.ts';
import type {RunView} from './run_view.ts';

type Switch = 'points' | 'arrows' | 'chains' | 'ortho';
const percent = (value: number) => `${Math.round(100 * value)} %`;

export class RunSide {
  private readonly checks: {[name in Switch]?: Check} = {};
  private readonly opacity: ReturnType<typeof slider>;

  constructor(private readonly view: RunView) {
    const {choices, info} = view;
    this.opacity = slider('opacity', {min: 0, max: 1, step: 0.05, value: choices.opacity}, percent, (value) =>
      view.set_opacity(value),
    );
    by_id('side').append(this.bodies(), this.contacts(), this.groups(), this.views());
    if (info.scene) {
      const text = element('pre', {tabindex: '0'}, info.scene);
      by_id('side').append(
        section('Scene', element('details', {}, element('summary', {}, 'as it was simulated'), text)),
      );
    }
  }

  show_opacity(value: number) {
    this.opacity.set(value);
  }

  /** As if the box were clicked. */
  toggle(name: Switch) {
    const {input} = this.checks[name]!;
    input.checked = !input.checked;
    input.dispatchEvent(new Event('change'));
  }

  private bodies(): HTMLElement {
    const {view} = this;
    const {choices, info, stage} = view;
    const colours = (Object.keys(body_colours) as BodyColour[]).filter(
      (name) => name !== 'von_mises' || info.deforms || info.skin,
    );
    const colour = select(
      'colour',
      colours.map((name) => [name, body_colours[name].title]),
      choices.colour,
      (name) => view.colour_by(name),
    );
    const find = element('input', {
      type: 'search',
      placeholder: 'name of a body',
      'aria-label': 'find a body by its name',
      list: 'names',
    });
    find.addEventListener('change', () => {
      const body = info.bodies.name.findIndex((name) => name.includes(find.value));
      if (find.value && body >= 0) {
        view.choose_body(body);
        view.fly();
      } else if (find.value) say('no body of that name');
    });
    const marked = check('marks that show rolling', choices.marked, (on) => {
      choices.marked = on;
      stage.uniforms.marked.value = on ? 1 : 0;
      stage.draw();
    });
    const obstacles = check('obstacles', choices.obstacles, (on) => ((choices.obstacles = on), view.refresh()));
    return section(
      'Bodies',
      colour.row,
      this.opacity.row,
      element('div', {class: 'row'}, element('span', {}, 'find'), find),
      marked.label,
      obstacles.label,
    );
  }

  private contacts(): HTMLElement {
    const {view} = this;
    const {contact} = view.choices;
    const switch_of = (name: 'points' | 'arrows' | 'chains', text: string, key: string) => {
      const made = check(text, contact[name], (on) => ((contact[name] = on), view.contact_switched()), {key});
      this.checks[name] = made;
      return made.label;
    };
    const statuses = status_names.map(
      (name, k) =>
        check(name, contact.statuses[k], (on) => ((contact.statuses[k] = on), view.refresh()), {
          colour: status_colours.light[k],
        }).label,
    );
    // Forces go over many powers of ten: the slider is logarithmic, its left end is 0.
    const force = slider(
      'force above',
      {min: -6, max: 6, step: 0.1, value: contact.least_force > 0 ? Math.log10(contact.least_force) : -6},
      (value) => (value <= -6 ? '0 N' : `${format.number(10 ** value, 2)} N`),
      (value) => ((contact.least_force = value <= -6 ? 0 : 10 ** value), view.refresh()),
    );
    const chains = slider(
      'chains above',
      {min: 0, max: 5, step: 0.1, value: contact.chain_threshold},
      (value) => `${format.number(value)} ×`,
      (value) => ((contact.chain_threshold = value), view.refresh()),
    );
    const size = slider(
      'size',
      {min: -1, max: 1, step: 0.05, value: Math.log10(contact.size)},
      (value) => `${format.number(10 ** value, 2)} ×`,
      (value) => ((contact.size = 10 ** value), view.refresh()),
    );
    return section(
      'Contacts',
      switch_of('points', 'points', 'P'),
      switch_of('arrows', 'forces', 'A'),
      switch_of('chains', 'force chains', 'C'),
      ...statuses,
      force.row,
      chains.row,
      size.row,
      check('lengths linear in force', contact.linear, (on) => ((contact.linear = on), view.refresh())).label,
      check('chains coloured by force', contact.chain_scale, (on) => ((contact.chain_scale = on), view.refresh()))
        .label,
    );
  }

  private groups(): HTMLElement {
    const {groups, hidden_groups} = this.view.paint;
    const colour_of = (name: string, group: number) =>
      name.startsWith('fixed:') || name.startsWith('driven:')
        ? obstacle_colours.light
        : group_colours.light[group % group_colours.light.length];
    const one = (name: string, group: number) =>
      check(
        name,
        !hidden_groups.has(group),
        (on) => {
          if (on) hidden_groups.delete(group);
          else hidden_groups.add(group);
          this.view.refresh();
        },
        {colour: colour_of(name, group), note: format.count(groups.sizes[group])},
      ).label;
    return section('Groups', ...groups.names.map(one));
  }

  private views(): HTMLElement {
    const {view} = this;
    const {choices, stage} = view;
    const axis = select(
      'section',
      [
        ['none', 'none'],
        ['x', 'across x'],
        ['y', 'across y'],
        ['z', 'across z'],
      ],
      choices.section?.axis ?? 'none',
      (word) => {
        const {at, flip} = choices.section ?? {at: 0.5, flip: false};
        choices.section = word === 'none' ? null : {axis: word as 'x', at, flip};
        view.apply_section();
      },
    );
    const at = slider('where', {min: 0, max: 1, step: 0.01, value: choices.section?.at ?? 0.5}, percent, (value) => {
      if (choices.section) choices.section.at = value;
      view.apply_section();
    });
    const flip = check('other side', choices.section?.flip ?? false, (on) => {
      if (choices.section) choices.section.flip = on;
      view.apply_section();
    });
    const names: View[] = ['front', 'right', 'back', 'left', 'top', 'bottom', 'corner'];
    this.checks.ortho = check(
      'without perspective',
      choices.orthographic,
      (on) => {
        choices.orthographic = stage.eye.orthographic = on;
        stage.draw();
      },
      {key: 'O'},
    );
    const grid = check('grid', choices.grid, (on) => view.show_grid(on));
    return section(
      'View',
      element(
        'div',
        {class: 'views'},
        ...names.map((name, k) => button(name, `${name} (${k + 1})`, () => stage.look(name))),
        button('all', 'show everything (F)', () => view.fit_shown()),
      ),
      this.checks.ortho.label,
      grid.label,
      axis.row,
      at.row,
      flip.label,
    );
  }
}
