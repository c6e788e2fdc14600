// What colours and lengths in the picture mean.
import * as format from '../src/format.ts';
import {element} from '../src/dom.ts';
import {body_colours} from './body_values.ts';
import type {Choices} from './choices.ts';
import type {ContactFrame} from './data.ts';
import {scale_css, status_colours, status_names, type Mode} from './palette.ts';
import {round_down} from './surroundings.ts';

export function scale_legend(title: string, unit: string, low: number, high: number): HTMLElement {
  const bar = element('div', {class: 'bar'});
  bar.style.background = scale_css();
  return element(
    'div',
    {},
    `${title}${unit ? `, ${unit}` : ''}`,
    bar,
    element('div', {class: 'ends'}, element('span', {}, format.number(low)), element('span', {}, format.number(high))),
  );
}

export function status_legend(mode: Mode, counts: number[] | null): HTMLElement {
  const keys = element('div', {class: 'keys'});
  status_names.forEach((name, k) => {
    const dot = element('span', {class: 'dot'});
    dot.style.setProperty('--colour', status_colours[mode][k]);
    keys.append(element('span', {}, dot, `${name}${counts ? ` ${format.count(counts[k])}` : ''}`));
  });
  return element('div', {}, keys);
}

/** Arrows of two round forces, at the length they have where the picture's middle is. */
export function force_legend(largest: number, linear: boolean, pixels: number): HTMLElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('width', '190');
  svg.setAttribute('height', '30');
  svg.setAttribute('role', 'img');
  // Not longer than the legend is wide.
  const most = Math.min(1, 120 / pixels) ** (linear ? 1 : 2);
  const strong = round_down(largest * most);
  const rows = [strong, strong / 10];
  svg.setAttribute('aria-label', `arrows of ${rows.map((force) => `${format.number(force)} newton`).join(' and ')}`);
  rows.forEach((force, k) => {
    const share = force / largest;
    const length = Math.max(2, pixels * (linear ? share : Math.sqrt(share)));
    const y = 8 + 15 * k;
    const line = document.createElementNS(space, 'path');
    line.setAttribute('d', `M0 ${y}H${length - 4}M${length} ${y}l-6 -3v6z`);
    line.setAttribute('stroke', 'currentColor');
    line.setAttribute('fill', 'currentColor');
    const text = document.createElementNS(space, 'text');
    text.setAttribute('x', String(length + 7));
    text.setAttribute('y', String(y + 3.5));
    text.textContent = `${format.number(force)} N`;
    svg.append(line, text);
  });
  return element('div', {}, `force, length ∝ ${linear ? 'force' : '√force'}`, svg as unknown as Node);
}

/** Everything that the picture of a record shows now. `pixels`: the length of the longest arrow. */
export function run_legend(
  choices: Choices,
  contacts: ContactFrame | null,
  range: [number, number],
  arrows: {largest: number; pixels: number},
): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (choices.colour !== 'group' && choices.colour !== 'body') {
    const {title, unit} = body_colours[choices.colour];
    parts.push(scale_legend(title, unit, ...range));
  }
  if (!contacts) return parts;
  const {points, arrows: forces, chains, linear, chain_threshold} = choices.contact;
  if (points || forces) {
    const counts = [0, 0, 0];
    for (const status of contacts.status) ++counts[status];
    parts.push(status_legend(choices.mode, counts));
  }
  if (forces && arrows.largest > 0) parts.push(force_legend(arrows.largest, linear, arrows.pixels));
  if (chains) {
    const times = chain_threshold === 1 ? '' : `${format.number(chain_threshold)} × `;
    const above = chain_threshold > 0 ? `: more than ${times}the mean force` : '';
    if (choices.contact.chain_scale && arrows.largest > 0)
      parts.push(scale_legend(`force of chains${linear ? '' : ', √ scale'}`, 'N', 0, arrows.largest));
    parts.push(element('div', {}, `chains${above}, thickness ∝ ${linear ? 'force' : '√force'}`));
  }
  return parts;
}
