// Small helpers for elements.
import {escape} from './format.ts';
import type {Theme} from './charts.ts';
import type {Mode} from './colours.ts';

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function by_id<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

let groups = 0;
/** A choice of one among few: radio buttons that look like one control. */
export function choice<T extends string>(
  title: string,
  options: [T, string][],
  value: T,
  chosen: (value: T) => void,
): HTMLElement {
  const name = `choice-${++groups}`;
  const field = element('fieldset', {class: 'choice'}, element('legend', {}, title));
  const box = element('div', {class: 'segments'});
  for (const [key, text] of options) {
    const input = element('input', {type: 'radio', name, value: key});
    input.checked = key === value;
    input.addEventListener('change', () => chosen(key));
    box.append(element('label', {}, input, element('span', {}, text)));
  }
  field.append(box);
  return field;
}

/** The swatch of a line: colour and dash. */
export function swatch(colour: string, dash: 'solid' | number[]): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [name, value] of [
    ['class', 'swatch'],
    ['viewBox', '0 0 26 8'],
    ['aria-hidden', 'true'],
  ])
    svg.setAttribute(name, value);
  const line = document.createElementNS(space, 'line');
  const attributes: Record<string, string> = {x1: '1', x2: '25', y1: '4', y2: '4', stroke: colour, 'stroke-width': '3'};
  if (dash !== 'solid') attributes['stroke-dasharray'] = dash.join(' ');
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  svg.append(line);
  return svg;
}

export interface Column<T> {
  title: string;
  hint?: string;
  /** What the column is sorted by; text or numbers. */
  key: (row: T) => string | number | null;
  /** Safe HTML. */
  html: (row: T) => string;
  numeric?: boolean;
}

/** A table whose columns sort at a click on their heads; the order outlives new rows. */
export class SortedTable<T> {
  private sorted: {column: number; down: boolean} | null = null;
  private rows: readonly T[] = [];
  private readonly body = element('tbody');
  private readonly heads: HTMLTableCellElement[] = [];

  constructor(
    readonly place: HTMLElement,
    caption: string,
    private readonly columns: Column<T>[],
  ) {
    const head = element('tr');
    columns.forEach((column, at) => {
      const button = element('button', {type: 'button'}, column.title);
      if (column.hint) button.title = column.hint;
      button.addEventListener('click', () => this.sort_by(at));
      const cell = element('th', {scope: 'col', class: column.numeric ? 'numeric' : ''}, button);
      this.heads.push(cell);
      head.append(cell);
    });
    const table = element('table', {}, element('caption', {}, caption), element('thead', {}, head), this.body);
    place.append(element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption}, table));
  }

  show(rows: readonly T[]) {
    this.rows = rows;
    let order = [...rows];
    if (this.sorted) {
      const {column, down} = this.sorted;
      const {key} = this.columns[column];
      order = order
        .map((row, at) => ({row, at, key: key(row)}))
        .sort((a, b) => {
          if (a.key === null || b.key === null)
            return (a.key === null ? 1 : 0) - (b.key === null ? 1 : 0) || a.at - b.at;
          const sign = typeof a.key === 'string' ? a.key.localeCompare(String(b.key)) : a.key - Number(b.key);
          return (down ? -sign : sign) || a.at - b.at;
        })
        .map(({row}) => row);
    }
    this.body.innerHTML = order
      .map(
        (row) =>
          `<tr>${this.columns
            .map((column, at) =>
              at === 0
                ? `<th scope="row">${column.html(row)}</th>`
                : `<td${column.numeric ? ' class="numeric"' : ''}>${column.html(row)}</td>`,
            )
            .join('')}</tr>`,
      )
      .join('');
    this.heads.forEach((head, at) => {
      if (this.sorted?.column === at) head.setAttribute('aria-sort', this.sorted.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
  }

  private sort_by(column: number) {
    this.sorted =
      this.sorted?.column === column ? (this.sorted.down ? null : {column, down: true}) : {column, down: false};
    this.show(this.rows);
  }
}

/** The colours of the page as the style sheet has them now. */
export function page_theme(mode: Mode): Theme {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    mode,
    text: of('--text'),
    muted: of('--muted'),
    grid: of('--line'),
    surface: of('--surface'),
    font: of('--font'),
  };
}

export {escape};
