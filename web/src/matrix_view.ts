// The matrix of solvers × problems, coloured by outcome. One pixel a cell is drawn once into a small picture; the view is that
// picture stretched, so that scrolling and zooming cost the same whatever the number of cells.
import {ink_on, outcome_look, rgb} from './colours.ts';
import {by_id, choice, element, page_theme} from './dom.ts';
import * as format from './format.ts';
import {draw_matrix, head, row_height, type Band} from './matrix_drawing.ts';
import type {State} from './state.ts';

const largest_cell = 28;

/** Paper shows all columns. */
const on_paper = () => document.body.classList.contains('printing');

export interface Cell {
  solver: number;
  instance: number;
  row: number;
}

export class MatrixView {
  private readonly scroller = by_id('matrix-scroll');
  private readonly spacer = by_id('matrix-spacer');
  private readonly canvas = by_id<HTMLCanvasElement>('matrix-canvas');
  private readonly tip = by_id('matrix-tip');
  private readonly picture = document.createElement('canvas');
  private solvers: number[] = [];
  private instances: number[] = [];
  /** Neighbouring columns of one set, and of one set and tolerance. */
  private sets: Band[] = [];
  private tolerances: Band[] = [];
  private gutter = 120;
  private width = 0;
  /** Width of a column in pixels; null: as wide as fits. */
  private zoomed: number | null = null;
  private cursor = {row: 0, column: 0};
  private order: 'given' | 'solved' = 'given';
  private frame = 0;

  constructor(
    private readonly state: State,
    private readonly opened: (cell: Cell) => void,
  ) {
    this.controls();
    new ResizeObserver(() => this.layout()).observe(this.scroller);
    this.scroller.addEventListener('scroll', () => this.redraw());
    this.pointer();
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('focus', () => this.redraw());
    this.canvas.addEventListener('blur', () => this.redraw());
    state.follow(() => this.update(), by_id('matrix'));
  }

  resize() {
    this.layout();
    this.draw();
  }
  focus() {
    this.canvas.focus({preventScroll: true});
  }

  private controls() {
    const button = (text: string, hint: string, act: () => void) => {
      const made = element('button', {type: 'button', title: hint, 'aria-label': hint}, text);
      made.addEventListener('click', act);
      return made;
    };
    by_id('matrix-controls').append(
      choice(
        'rows',
        [
          ['given', 'as planned'],
          ['solved', 'most solved first'],
        ] as ['given' | 'solved', string][],
        'given',
        (value) => {
          this.order = value;
          this.update();
        },
      ),
      element(
        'fieldset',
        {class: 'choice'},
        element('legend', {}, 'zoom'),
        element(
          'div',
          {class: 'buttons'},
          button('−', 'zoom out', () => this.zoom(1 / 1.6)),
          button('+', 'zoom in', () => this.zoom(1.6)),
          button('fit', 'show all columns', () => this.fit()),
        ),
      ),
    );
  }

  private update() {
    const {results} = this.state;
    this.instances = this.state.chosen_instances();
    this.solvers = this.state.chosen_solvers();
    if (this.order === 'solved') {
      const solved = new Map(
        this.solvers.map((solver) => [
          solver,
          this.instances.reduce((sum, at) => sum + (results.is_solved(results.row_of(at, solver)) ? 1 : 0), 0),
        ]),
      );
      this.solvers.sort((a, b) => solved.get(b)! - solved.get(a)! || a - b);
    }
    const bands = (key: (at: number) => number, label: (at: number) => string) => {
      const found: Band[] = [];
      this.instances.forEach((at, column) => {
        const last = found.at(-1);
        if (last?.key === key(at)) ++last.size;
        else found.push({first: column, size: 1, key: key(at), label: label(at)});
      });
      return found;
    };
    const {campaign, instances} = results;
    this.sets = bands(
      (at) => instances[at].set,
      (at) => campaign.sets[instances[at].set],
    );
    this.tolerances = bands(
      (at) => instances[at].set * campaign.tolerances.length + instances[at].tolerance,
      (at) => format.power(campaign.tolerances[instances[at].tolerance]),
    );
    this.cursor.row = Math.min(this.cursor.row, Math.max(0, this.solvers.length - 1));
    this.cursor.column = Math.min(this.cursor.column, Math.max(0, this.instances.length - 1));
    this.paint();
    this.legend();
    this.layout();
  }

  /** One pixel a cell. */
  private paint() {
    const {results, mode} = this.state;
    this.picture.width = Math.max(1, this.instances.length);
    this.picture.height = Math.max(1, this.solvers.length);
    const context = this.picture.getContext('2d')!;
    const image = context.createImageData(this.picture.width, this.picture.height);
    const colours = results.campaign.statuses.map((status) => rgb(outcome_look(status, mode).colour));
    const none = rgb(outcome_look('not run', mode).colour);
    let at = 0;
    for (const solver of this.solvers)
      for (const instance of this.instances) {
        const row = results.row_of(instance, solver);
        image.data.set(row < 0 ? none : colours[results.campaign.rows.status[row]], at);
        image.data[at + 3] = 255;
        at += 4;
      }
    context.putImageData(image, 0, 0);
  }

  private legend() {
    const {results, mode} = this.state;
    const counts = new Map<string, number>();
    for (const solver of this.solvers)
      for (const instance of this.instances) {
        const status = results.status_of(results.row_of(instance, solver));
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    const items = [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([status, count]) => {
        const look = outcome_look(status, mode);
        const key = element(
          'span',
          {class: 'key', 'aria-hidden': 'true', style: `background:${look.colour};color:${ink_on(look.colour)}`},
          look.letter,
        );
        return element(
          'li',
          {},
          key,
          `${format.words(status)} `,
          element('span', {class: 'note'}, format.count(count)),
        );
      });
    by_id('matrix-legend').replaceChildren(...items);
  }

  private get cell_width(): number {
    const fit = (this.width - this.gutter) / Math.max(1, this.instances.length);
    return this.zoomed === null || on_paper()
      ? Math.min(fit, largest_cell)
      : Math.max(this.zoomed, Math.min(fit, largest_cell));
  }
  private get first_column(): number {
    return this.scroller.scrollLeft / this.cell_width;
  }

  private layout() {
    const context = this.canvas.getContext('2d')!;
    context.font = `12px ${page_theme(this.state.mode).font}`;
    const labels = this.solvers.map(
      (solver) => context.measureText(this.state.results.campaign.solvers.label[solver]).width,
    );
    this.width = this.scroller.clientWidth;
    this.gutter = Math.ceil(Math.min(Math.max(60, ...labels) + 14, this.width * 0.34));
    const height = head + this.solvers.length * row_height + 2;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    this.spacer.style.width = `${Math.max(this.width, this.gutter + this.instances.length * this.cell_width)}px`;
    this.draw();
  }

  private redraw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const active = document.activeElement === this.canvas;
    draw_matrix(this.canvas.getContext('2d')!, {
      theme: page_theme(this.state.mode),
      picture: this.picture,
      width: this.width,
      gutter: this.gutter,
      cell: this.cell_width,
      first: this.first_column,
      columns: this.instances.length,
      labels: this.solvers.map((solver) => this.state.results.campaign.solvers.label[solver]),
      sets: this.sets,
      tolerances: this.tolerances,
      cursor: (active || document.body.classList.contains('panel-open')) && !on_paper() ? this.cursor : null,
      status: (row, column) =>
        this.state.results.status_of(this.state.results.row_of(this.instances[column], this.solvers[row])),
    });
  }

  private place_at(x: number, y: number): {row: number; column: number} | null {
    const row = Math.floor((y - head) / row_height);
    const column = Math.floor((x - this.gutter) / this.cell_width + this.first_column);
    if (
      x < this.gutter ||
      y < head ||
      row < 0 ||
      row >= this.solvers.length ||
      column < 0 ||
      column >= this.instances.length
    )
      return null;
    return {row, column};
  }

  private cell_at(place: {row: number; column: number}): Cell {
    const solver = this.solvers[place.row];
    const instance = this.instances[place.column];
    return {solver, instance, row: this.state.results.row_of(instance, solver)};
  }

  /** One line on a cell. */
  private text_of({solver, instance, row}: Cell): string {
    const {results} = this.state;
    const {campaign} = results;
    const one = results.instances[instance];
    const known =
      row >= 0
        ? `: error ${format.number(campaign.rows.error[row])}, ${format.count(campaign.rows.iterations[row])} iterations, ${format.time(campaign.rows.seconds[row])}`
        : '';
    return (
      `${campaign.solvers.label[solver]} on ${campaign.problems.name[one.problem]} (${campaign.sets[one.set]}, ${format.power(campaign.tolerances[one.tolerance])}): ` +
      `${format.words(results.status_of(row))}${known}`
    );
  }

  private pointer() {
    let drag: {x: number; scroll: number; moved: boolean} | null = null;
    const local = (event: MouseEvent) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top] as const;
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || event.pointerType === 'touch') return;
      drag = {x: event.clientX, scroll: this.scroller.scrollLeft, moved: false};
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (drag && event.buttons & 1) {
        if (Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
        if (drag.moved) this.scroller.scrollLeft = drag.scroll - (event.clientX - drag.x);
      }
      const [x, y] = local(event);
      const place = this.place_at(x, y);
      this.canvas.style.cursor = drag?.moved ? 'grabbing' : place ? 'pointer' : 'default';
      this.show_tip(place, x, y);
    });
    this.canvas.addEventListener('pointerleave', () => this.show_tip(null, 0, 0));
    this.canvas.addEventListener('click', (event) => {
      const moved = drag?.moved;
      drag = null;
      const place = this.place_at(...local(event));
      if (moved || !place) return;
      this.go(place.row, place.column);
      this.tip.hidden = true;
      this.opened(this.cell_at(place));
      this.redraw();
    });
    this.canvas.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 200), local(event)[0]);
      },
      {passive: false},
    );
  }

  private show_tip(place: {row: number; column: number} | null, x: number, y: number) {
    this.tip.hidden = place === null;
    if (!place) return;
    this.tip.textContent = this.text_of(this.cell_at(place));
    const wide = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(4, Math.min(x + 14, this.width - wide - 4))}px`;
    this.tip.style.top = `${y + 18}px`;
  }

  private zoom(factor: number, x = this.gutter + (this.width - this.gutter) / 2) {
    const before = this.cell_width;
    const column = this.first_column + (x - this.gutter) / before;
    this.zoomed = Math.min(largest_cell, before * factor);
    const fit = (this.width - this.gutter) / Math.max(1, this.instances.length);
    if (this.zoomed <= fit) this.zoomed = null;
    this.layout();
    this.scroller.scrollLeft = column * this.cell_width - (x - this.gutter);
    this.redraw();
  }
  private fit() {
    this.zoomed = null;
    this.layout();
  }

  /** Moves the cursor and scrolls it into view. */
  private go(row: number, column: number) {
    this.cursor = {
      row: Math.min(Math.max(row, 0), this.solvers.length - 1),
      column: Math.min(Math.max(column, 0), this.instances.length - 1),
    };
    const cell = this.cell_width;
    const x = this.cursor.column * cell - this.scroller.scrollLeft;
    const room = this.width - this.gutter;
    if (x < 0 || x + cell > room) this.scroller.scrollLeft = this.cursor.column * cell - room / 2;
    this.redraw();
  }

  private key(event: KeyboardEvent) {
    if (this.instances.length === 0 || this.solvers.length === 0 || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const {row, column} = this.cursor;
    const page = Math.max(1, Math.floor((this.width - this.gutter) / this.cell_width / 4));
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      PageUp: [row, column - page],
      PageDown: [row, column + page],
      Home: [row, 0],
      End: [row, this.instances.length - 1],
    };
    const move = moves[event.key];
    if (move) {
      this.go(...move);
      const cell = this.cell_at(this.cursor);
      by_id('matrix-live').textContent = this.text_of(cell);
      if (document.body.classList.contains('panel-open')) this.opened(cell);
    } else if (event.key === 'Enter' || event.key === ' ') this.opened(this.cell_at(this.cursor));
    else if (event.key === '+' || event.key === '=')
      this.zoom(1.6, this.gutter + (this.cursor.column - this.first_column) * this.cell_width);
    else if (event.key === '-')
      this.zoom(1 / 1.6, this.gutter + (this.cursor.column - this.first_column) * this.cell_width);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }
}
