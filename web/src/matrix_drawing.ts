// How the matrix looks: the stretched picture, lines between cells, letters in large ones, labels, bands of sets, the cursor.
import type {Theme} from './charts.ts';
import {ink_on, outcome_look} from './colours.ts';

/** Height of the bands of sets and tolerances above the cells, and of a row of cells. */
export const head = 38;
export const row_height = 20;

/** Neighbouring columns that belong together. */
export interface Band {
  first: number;
  size: number;
  key: number;
  label: string;
}

export interface MatrixPicture {
  theme: Theme;
  /** One pixel a cell. */
  picture: HTMLCanvasElement;
  width: number;
  /** Width of the labels on the left. */
  gutter: number;
  /** Width of a column; the first one shown, not always whole; their number. */
  cell: number;
  first: number;
  columns: number;
  labels: string[];
  sets: Band[];
  tolerances: Band[];
  cursor: {row: number; column: number} | null;
  status: (row: number, column: number) => string;
}

export function draw_matrix(context: CanvasRenderingContext2D, m: MatrixPicture) {
  const ratio = window.devicePixelRatio || 1;
  const right = Math.min(m.width, m.gutter + (m.columns - m.first) * m.cell);
  const bottom = head + m.labels.length * row_height;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, m.width, bottom + 4);
  if (m.columns > 0 && m.labels.length > 0) {
    context.imageSmoothingEnabled = m.cell < 1;
    context.imageSmoothingQuality = 'high';
    const span = (right - m.gutter) / m.cell;
    context.drawImage(m.picture, m.first, 0, span, m.labels.length, m.gutter, head, right - m.gutter, bottom - head);
    draw_lines(context, m, right, bottom);
    if (m.cell >= 11) draw_letters(context, m, right);
  }
  draw_labels(context, m);
  context.font = `11px ${m.theme.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  draw_bands(context, m, right, m.sets, head - 23, false);
  draw_bands(context, m, right, m.tolerances, head - 10, true);
  if (m.cursor && m.columns > 0) draw_cursor(context, m, m.cursor);
}

function draw_lines(context: CanvasRenderingContext2D, m: MatrixPicture, right: number, bottom: number) {
  context.fillStyle = m.theme.surface;
  for (let row = 0; row <= m.labels.length; ++row)
    context.fillRect(m.gutter, head + row * row_height - 0.75, right - m.gutter, 1.5);
  if (m.cell >= 5)
    for (let column = Math.ceil(m.first); column < m.first + (right - m.gutter) / m.cell; ++column)
      context.fillRect(m.gutter + (column - m.first) * m.cell - 0.5, head, 1, bottom - head);
  for (const band of m.tolerances) {
    const x = m.gutter + (band.first - m.first) * m.cell;
    if (band.first > 0 && x > m.gutter && x < right) context.fillRect(x - 1, head, 2, bottom - head);
  }
}

/** What went well needs no letter. */
function draw_letters(context: CanvasRenderingContext2D, m: MatrixPicture, right: number) {
  context.font = `600 11px ${m.theme.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const last = Math.min(m.columns, Math.ceil(m.first + (right - m.gutter) / m.cell));
  for (let row = 0; row < m.labels.length; ++row)
    for (let column = Math.floor(m.first); column < last; ++column) {
      const x = m.gutter + (column + 0.5 - m.first) * m.cell;
      const status = m.status(row, column);
      if (x < m.gutter + 4 || status === 'converged') continue;
      const look = outcome_look(status, m.theme.mode);
      context.fillStyle = ink_on(look.colour);
      context.fillText(look.letter, x, head + (row + 0.5) * row_height + 0.5);
    }
}

function draw_labels(context: CanvasRenderingContext2D, m: MatrixPicture) {
  context.font = `12px ${m.theme.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  m.labels.forEach((label, row) => {
    context.fillStyle = row === m.cursor?.row ? m.theme.text : m.theme.muted;
    context.fillText(shorten(context, label, m.gutter - 12), m.gutter - 8, head + (row + 0.5) * row_height);
  });
}

function draw_bands(
  context: CanvasRenderingContext2D,
  m: MatrixPicture,
  right: number,
  bands: Band[],
  y: number,
  line: boolean,
) {
  context.fillStyle = m.theme.muted;
  for (const band of bands) {
    const start = Math.max(m.gutter, m.gutter + (band.first - m.first) * m.cell);
    const end = Math.min(right, m.gutter + (band.first + band.size - m.first) * m.cell);
    if (end - start < 2) continue;
    if (line) context.fillRect(start + 1, head - 6, Math.max(1, end - start - 2), 2);
    if (end - start > 20) context.fillText(shorten(context, band.label, end - start - 4), start + 2, y);
  }
}

function draw_cursor(context: CanvasRenderingContext2D, m: MatrixPicture, cursor: {row: number; column: number}) {
  const wide = Math.max(m.cell, 5);
  const x = m.gutter + (cursor.column + 0.5 - m.first) * m.cell - wide / 2;
  if (x < m.gutter - 1 || x > m.width) return;
  const y = head + cursor.row * row_height;
  context.lineWidth = 4;
  context.strokeStyle = m.theme.surface;
  context.strokeRect(x, y, wide, row_height);
  context.lineWidth = 2;
  context.strokeStyle = m.theme.text;
  context.strokeRect(x, y, wide, row_height);
}

function shorten(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) --length;
  return length > 1 ? `${text.slice(0, length)}…` : '';
}
