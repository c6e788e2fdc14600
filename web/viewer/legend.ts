// What colours and lengths in the picture mean.
import * as format from '../src/format.ts';
import {element} from '../src/dom.ts';
import {scale_css, status_colours, status_names, type Mode} from './palette.ts';
import {round_up} from './surroundings.ts';

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
  const strong = round_up(largest / 2);
  const rows = [strong, strong / 10];
  svg.setAttribute('aria-label', `arrows of ${rows.map((force) => `${format.number(force)} newton`).join(' and ')}`);
  rows.forEach((force, k) => {
    const share = Math.min(1.2, force / largest);
    const length = Math.max(2, Math.min(120, pixels * (linear ? share : Math.sqrt(share))));
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
