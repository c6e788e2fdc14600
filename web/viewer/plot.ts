// Small line plots on canvases: over time, with a mark that can be dragged.
import * as format from '../src/format.ts';

export interface Line {
  name: string;
  colour: string;
  values: ArrayLike<number>;
}

export interface PlotData {
  /** Instead of the title that the plot has. */
  title?: string;
  x: ArrayLike<number>;
  lines: Line[];
  unit: string;
  log?: boolean;
  /** Points not joined. */
  dots?: boolean;
}

/** Round numbers within an interval, about so many. */
export function marks(low: number, high: number, about: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= raw) ?? raw;
  const list: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); ++k) list.push(k * step);
  return list;
}

const mark_colour = '#3d9bd6'; // seen on light and dark

export class Plot {
  readonly element: HTMLElement;
  private readonly canvas = document.createElement('canvas');
  private readonly caption = document.createElement('figcaption');
  private data: PlotData | null = null;
  private at = NaN;
  private readonly base = document.createElement('canvas'); // everything but the mark
  private readonly left = 46;

  constructor(
    private readonly title: string,
    seek?: (x: number) => void,
    private readonly x_unit = 's',
  ) {
    this.element = document.createElement('figure');
    this.element.className = 'plot';
    this.canvas.setAttribute('role', 'img');
    this.element.append(this.caption, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.element);
    if (!seek) return;
    this.canvas.classList.add('seek');
    const go = (event: PointerEvent) => {
      const range = this.range();
      if (!range) return;
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - this.left) / Math.max(1, box.width - this.left - 8);
      seek(range[0] + Math.max(0, Math.min(1, share)) * (range[1] - range[0]));
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    this.canvas.addEventListener('pointermove', (event) => event.buttons & 1 && go(event));
  }

  show(data: PlotData) {
    this.data = data;
    const legend = data.lines.map(({name, colour}) => {
      const key = document.createElement('span');
      key.className = 'key';
      key.style.setProperty('--colour', colour);
      key.textContent = name;
      return key;
    });
    this.caption.replaceChildren(
      `${data.title ?? this.title}${data.unit ? ` (${data.unit})` : ''} `,
      ...(legend.length > 1 ? legend : []),
    );
    this.draw();
  }
  mark(x: number) {
    this.at = x;
    this.draw_mark();
  }
  /** Draws everything again: sizes or colours have changed. */
  redraw() {
    this.draw();
  }

  private range(): [number, number] | null {
    const {data} = this;
    if (!data || data.x.length === 0) return null;
    return [Math.min(0, data.x[0]), data.x[data.x.length - 1]];
  }

  private draw() {
    const {canvas, base, data} = this;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const ratio = devicePixelRatio;
    if (width === 0 || height === 0) return;
    canvas.width = base.width = Math.round(width * ratio);
    canvas.height = base.height = Math.round(height * ratio);
    const ink = base.getContext('2d')!;
    ink.scale(ratio, ratio);
    const range = this.range();
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(name).trim();
    if (!data || !range) return;
    const y_of = (value: number) => (data.log ? Math.log10(value) : value);
    let low = Infinity;
    let high = -Infinity;
    for (const {values} of data.lines)
      for (let k = 0; k < values.length; ++k) {
        const y = y_of(values[k]);
        if (!Number.isFinite(y)) continue;
        if (y < low) low = y;
        if (y > high) high = y;
      }
    canvas.setAttribute(
      'aria-label',
      `${this.title}: ${data.lines
        .map(({name, values}) => `${name} ${format.number(values[0])} … ${format.number(values[values.length - 1])}`)
        .join(', ')} ${data.unit}`,
    );
    if (low > high) return;
    if (high - low < 1e-12 * Math.max(1, Math.abs(high))) {
      low -= data.log ? 1 : Math.max(0.5, 0.1 * Math.abs(low));
      high += data.log ? 1 : Math.max(0.5, 0.1 * Math.abs(high));
    }
    const bottom = height - 15;
    const top = 4;
    const right = width - 8;
    const span = Math.max(1e-300, range[1] - range[0]);
    const px = (x: number) => this.left + ((x - range[0]) / span) * (right - this.left);
    const py = (y: number) => bottom - ((y_of(y) - low) / (high - low)) * (bottom - top - 2);
    ink.font = `10px ${of('--font')}`;
    ink.fillStyle = of('--muted');
    ink.strokeStyle = of('--line');
    ink.lineWidth = 1;
    ink.textAlign = 'right';
    ink.textBaseline = 'middle';
    const levels = data.log
      ? marks(low, high, 2.5)
          .filter(Number.isInteger)
          .map((x) => 10 ** x)
      : marks(low, high, 2.5);
    for (const level of levels) {
      const y = Math.round(py(level)) + 0.5;
      ink.beginPath();
      ink.moveTo(this.left, y);
      ink.lineTo(right, y);
      ink.stroke();
      ink.fillText(data.log ? format.power(level) : format.number(level), this.left - 4, Math.max(5, y));
    }
    ink.textAlign = 'center';
    ink.textBaseline = 'bottom';
    const times = marks(range[0], range[1], Math.max(2, (right - this.left) / 70));
    times.forEach((x, k) => {
      const last = k === times.length - 1;
      ink.textAlign = last && px(x) > right - 16 ? 'right' : 'center';
      ink.fillText(`${format.number(x)}${last ? ` ${this.x_unit}` : ''}`, Math.min(px(x), right), height);
    });
    ink.save();
    ink.beginPath();
    ink.rect(this.left, 0, right - this.left + 1, bottom + 2);
    ink.clip();
    ink.lineWidth = 1.5;
    ink.lineJoin = 'round';
    for (const {colour, values} of data.lines) {
      ink.strokeStyle = ink.fillStyle = colour;
      ink.beginPath();
      let on = false;
      for (let k = 0; k < values.length; ++k) {
        const good = Number.isFinite(y_of(values[k])) && values[k] !== null;
        if (!good) {
          on = false;
          continue;
        }
        const x = px(data.x[k]);
        const y = py(values[k]);
        if (data.dots) ink.fillRect(x - 1, y - 1, 2, 2);
        else if (on) ink.lineTo(x, y);
        else ink.moveTo(x, y);
        on = true;
      }
      ink.stroke();
    }
    ink.restore();
    this.draw_mark();
  }

  private draw_mark() {
    const {canvas, base} = this;
    const range = this.range();
    if (canvas.width === 0 || base.width === 0) return;
    const ink = canvas.getContext('2d')!;
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.clearRect(0, 0, canvas.width, canvas.height);
    ink.drawImage(base, 0, 0);
    if (!range || !Number.isFinite(this.at)) return;
    const ratio = devicePixelRatio;
    const right = canvas.width / ratio - 8;
    const span = Math.max(1e-300, range[1] - range[0]);
    const share = Math.max(0, Math.min(1, (this.at - range[0]) / span));
    ink.fillStyle = mark_colour;
    ink.fillRect(
      (this.left + share * (right - this.left) - 0.75) * ratio,
      4 * ratio,
      1.5 * ratio,
      canvas.height - 19 * ratio,
    );
  }
}
