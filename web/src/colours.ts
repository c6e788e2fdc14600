// Colours that people with colour-vision deficiencies can tell apart (after Okabe and Ito), for light and dark ground. A solver
// keeps its colour and dash whatever is selected: they follow from its place in the campaign.

export type Mode = 'light' | 'dark';

const hues: Record<Mode, string[]> = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b5508f', '#c98500', '#4a3aa7', '#3aa6d8', '#7a5c1e'],
  dark: ['#4da6dd', '#f28a45', '#2fc79b', '#e08abf', '#f0b93a', '#a79bf0', '#8fd3f5', '#c9a866'],
};
export type Dash = 'solid' | number[];
const dashes: Dash[] = ['solid', [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 3, 2, 3, 2, 3]];

export interface LineLook {
  colour: string;
  dash: Dash;
}

export function solver_look(solver: number, mode: Mode): LineLook {
  const palette = hues[mode];
  return {colour: palette[solver % palette.length], dash: dashes[Math.floor(solver / palette.length) % dashes.length]};
}

/** Colours of tolerances in bars: one hue from dark to light, the strictest is the strongest. */
export function tolerance_colour(at: number, of: number, mode: Mode): string {
  const shades =
    mode === 'light' ? ['#8cc5e3', '#3594cc', '#0b5c8f', '#083d5f'] : ['#24506b', '#3277a5', '#4da6dd', '#a5d8f6'];
  if (of === 1) return shades[2];
  return shades[Math.round((at * (shades.length - 1)) / (of - 1))];
}

export interface OutcomeLook {
  /** One letter, shown in large cells, so that colour is never alone. */
  letter: string;
  colour: string;
}

const outcomes: Record<string, {letter: string; light: string; dark: string}> = {
  converged: {letter: '✓', light: '#3d8fc4', dark: '#3f8fc2'},
  converged_reduced: {letter: 'r', light: '#a3cfe8', dark: '#2a5673'},
  stalled: {letter: 'S', light: '#cc79a7', dark: '#c9709f'},
  iteration_limit: {letter: 'I', light: '#f2e25c', dark: '#e6d64c'},
  time_limit: {letter: 'T', light: '#e69f00', dark: '#dd9a08'},
  killed_time: {letter: 'K', light: '#8f6200', dark: '#a87a1c'},
  killed_memory: {letter: 'M', light: '#6b4fa0', dark: '#9a7fd1'},
  numerical_failure: {letter: 'N', light: '#c9500a', dark: '#d9600f'},
  crashed: {letter: 'X', light: '#7d1d1d', dark: '#a83232'},
  wrong: {letter: 'W', light: '#000000', dark: '#ffffff'},
  infeasible: {letter: '∅', light: '#4f9d89', dark: '#4f9d89'},
  load_failed: {letter: 'L', light: '#5a6068', dark: '#8b929c'},
  not_applicable: {letter: '–', light: '#c9ccd1', dark: '#4b515a'},
  cancelled: {letter: 'c', light: '#9aa0a8', dark: '#737a84'},
};
const others = ['#8a6d3b', '#5f7f2e', '#a0522d', '#556b8d'];

export function outcome_look(status: string, mode: Mode): OutcomeLook {
  if (status === 'not run') return {letter: '', colour: mode === 'light' ? '#eef0f2' : '#1c2026'};
  const known = outcomes[status];
  if (known) return {letter: known.letter, colour: known[mode]};
  let hash = 0;
  for (const letter of status) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return {letter: (status[0] ?? '?').toUpperCase(), colour: others[hash % others.length]};
}

/** Black or white, whichever reads better on the colour. */
export function ink_on(colour: string): string {
  const [r, g, b] = rgb(colour);
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#111111' : '#ffffff';
}

export function rgb(colour: string): [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
