// Colours. Statuses are from Okabe and Ito's set, which is told apart with any colour vision; tests/web/viewer_palette.test.ts checks it.

export type Mode = 'light' | 'dark';
export type Rgb = [number, number, number];

export const status_names = ['open', 'stick', 'slip'] as const;
export const status_colours: Record<Mode, string[]> = {
  light: ['#8a8f98', '#0072b2', '#d55e00'],
  dark: ['#9aa0a8', '#56b4e9', '#f0a13a'],
};

/** Quiet hues for groups of bodies. */
export const group_colours: Record<Mode, string[]> = {
  light: ['#d6a064', '#7d9ebe', '#bf7f72', '#8eac7c', '#b096ba', '#dcc478', '#83b5b0', '#b3a58f'],
  dark: ['#c89459', '#7599bb', '#b97a6d', '#86a575', '#a98fb5', '#cfb76c', '#7aaca7', '#a89a85'],
};
export const obstacle_colours: Record<Mode, string> = {light: '#9aa3ad', dark: '#8994a1'};
export const ground_colours: Record<Mode, string> = {light: '#f4f6f8', dark: '#14181d'};
export const chosen_colour: Record<Mode, string> = {light: '#e6007a', dark: '#ff4fa3'};
export const chain_colours: Record<Mode, string> = {light: '#8f1d14', dark: '#ffb199'};

export function rgb(colour: string): Rgb {
  const value = parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

// Stops of viridis: lightness rises evenly, so that it reads without colour too.
const stops = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'].map(
  rgb,
);
/** 256 colours, red, green, blue one after the other. */
export const scale: Uint8Array = (() => {
  const table = new Uint8Array(256 * 3);
  for (let k = 0; k < 256; ++k) {
    const x = (k / 255) * (stops.length - 1);
    const at = Math.min(Math.floor(x), stops.length - 2);
    for (let c = 0; c < 3; ++c)
      table[3 * k + c] = Math.round(stops[at][c] + (x - at) * (stops[at + 1][c] - stops[at][c]));
  }
  return table;
})();

export function scale_css(): string {
  return `linear-gradient(to right, ${stops.map((stop) => `rgb(${stop.join(' ')})`).join(', ')})`;
}
