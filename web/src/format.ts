// Numbers as people read them.

const superscript: Record<string, string> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};
const raised = (exponent: number) => [...String(exponent)].map((digit) => superscript[digit]).join('');

export const missing = '–';

/** Three significant digits; powers of ten outside 10⁻³ … 10⁵. */
export function number(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return missing;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) {
    if (Number.isInteger(value)) return count(value);
    return String(Number(value.toPrecision(digits))).replace('-', '−');
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const short = String(Number(mantissa)).replace('-', '−');
  return short === '1' ? `10${raised(Number(exponent))}` : `${short}·10${raised(Number(exponent))}`;
}

/** 27 000, with a thin space. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined) return missing;
  return String(value)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

export function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  return Math.abs(value / 10 ** exponent - 1) < 1e-9 ? `10${raised(exponent)}` : number(value);
}

/** 12.3 µs, 4.56 ms, 7.89 s, 12 min 3 s, 4 h 5 min. */
export function time(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return missing;
  if (!Number.isFinite(seconds)) return '∞';
  if (seconds === 0) return '0 s';
  const short = (value: number) => String(Number(value.toPrecision(3)));
  if (seconds < 0.9995e-6) return `${short(seconds * 1e9)} ns`;
  if (seconds < 0.9995e-3) return `${short(seconds * 1e6)} µs`;
  if (seconds < 0.9995) return `${short(seconds * 1e3)} ms`;
  if (seconds < 119.5) return `${short(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${count(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function percent(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %';
  if (share < 1 && share > 0.99) return '>99 %';
  return `${Math.round(100 * share)} %`;
}

/** [smallest : largest] as RR writes ranges; one value where they are equal. */
export function range(values: readonly (number | null)[], show: (value: number) => string = number): string {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || Number.isNaN(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return missing;
  return low === high || show(low) === show(high) ? show(low) : `${show(low)} : ${show(high)}`;
}

const entities: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};
/** For text that goes into HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter]);
}

const outcomes: Record<string, string> = {
  killed_time: 'killed (time)',
  killed_memory: 'killed (memory)',
  load_failed: 'not loaded',
  converged_reduced: 'converged, less accurate',
};
/** The outcome of a solve in words. */
export function words(status: string): string {
  return outcomes[status] ?? status.replaceAll('_', ' ');
}
