// Controls of the side: sections with checks, choices and sliders, each with its name for screen readers.
import {element} from '../src/dom.ts';

export interface Check {
  input: HTMLInputElement;
  label: HTMLLabelElement;
}

export function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return element('section', {'aria-label': title}, element('h2', {}, title), ...children);
}

export function check(
  name: string,
  value: boolean,
  chosen: (value: boolean) => void,
  {colour, note, key}: {colour?: string; note?: string; key?: string} = {},
): Check {
  const input = element('input', {type: 'checkbox'});
  input.checked = value;
  input.addEventListener('change', () => chosen(input.checked));
  const label = element('label', {class: 'check'}, input);
  if (colour) {
    const dot = element('span', {class: 'dot', 'aria-hidden': 'true'});
    dot.style.setProperty('--colour', colour);
    label.append(dot);
  }
  label.append(element('span', {class: 'name'}, name));
  if (note) label.append(element('span', {class: 'note'}, note));
  if (key) {
    label.title = `key ${key}`;
    input.setAttribute('aria-keyshortcuts', key);
  }
  return {input, label};
}

export function select<T extends string>(
  title: string,
  options: [T, string][],
  value: T,
  chosen: (value: T) => void,
): {row: HTMLElement; input: HTMLSelectElement} {
  const input = element('select', {'aria-label': title});
  for (const [key, text] of options) input.append(element('option', {value: key}, text));
  input.value = value;
  input.addEventListener('change', () => chosen(input.value as T));
  return {row: element('div', {class: 'row'}, element('span', {}, title), input), input};
}

export function slider(
  title: string,
  {min, max, step, value}: {min: number; max: number; step: number; value: number},
  show: (value: number) => string,
  chosen: (value: number) => void,
): {row: HTMLElement; input: HTMLInputElement; set: (value: number) => void} {
  const input = element('input', {
    type: 'range',
    min: String(min),
    max: String(max),
    step: String(step),
    'aria-label': title,
  });
  const output = element('output', {});
  const tell = () => {
    output.textContent = show(input.valueAsNumber);
    input.setAttribute('aria-valuetext', output.textContent);
  };
  const set = (to: number) => {
    input.value = String(to);
    tell();
  };
  set(value);
  input.addEventListener('input', () => {
    tell();
    chosen(input.valueAsNumber);
  });
  return {row: element('div', {class: 'row'}, element('span', {}, title), input, output), input, set};
}

export function button(text: string, title: string, pressed: () => void): HTMLButtonElement {
  const made = element('button', {type: 'button', title}, text);
  if (title) made.setAttribute('aria-label', title);
  made.addEventListener('click', pressed);
  return made;
}
