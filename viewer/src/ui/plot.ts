// Curves of series.csv and of measures over time, with a cursor at the time of the frame; a click goes to the frame nearest to it.
import type { Curves } from '../data/series';
import { css, PALETTE } from '../data/colormap';
import { el, iconButton, tell } from './dom';

const MARGIN = { left: 62, right: 28, top: 10, bottom: 22 };

// Round steps of 1, 2 or 5 times a power of ten, about `count` of them.
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  const out: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * span; ++k) out.push(k * step);
  return out;
}

export class Plot {
  readonly root: HTMLElement;
  private readonly canvas = el('canvas', { role: 'img', 'aria-label': 'Plot of the chosen series over time' });
  private readonly chooser = el('div', { class: 'chooser' });
  private readonly legend = el('div', { class: 'curves', 'aria-live': 'off' });
  chosen: string[] = [];
  private logarithmic = false;
  private ownScales = false;
  private time = 0;
  private span: [number, number] = [0, 1];
  private offered = '';

  constructor(private readonly curves: Curves, private readonly seek: (time: number) => void, close: () => void) {
    const log = el('input', { type: 'checkbox', change: () => { this.logarithmic = log.checked; this.draw(); } });
    const own = el('input', { type: 'checkbox', change: () => { this.ownScales = own.checked; this.draw(); } });
    const details = el('details', {}, el('summary', {}, 'Choose series'), this.chooser);
    this.root = el('section', { class: 'plot', 'aria-label': 'Plots' },
      el('header', {}, details, this.legend, el('label', { class: 'log' }, own, ' own scales'), el('label', { class: 'log' }, log, ' log'), iconButton('close', 'Close the plots', close)), this.canvas);
    this.canvas.addEventListener('pointerdown', (event) => { this.canvas.setPointerCapture(event.pointerId); this.pointAt(event); });
    this.canvas.addEventListener('pointermove', (event) => { if (event.buttons) this.pointAt(event); });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  private pointAt(event: PointerEvent): void {
    const width = this.canvas.clientWidth - MARGIN.left - MARGIN.right;
    const part = Math.min(1, Math.max(0, (event.offsetX - MARGIN.left) / width));
    this.seek(this.span[0] + part * (this.span[1] - this.span[0]));
  }

  // After new rows have come in.
  update(): void {
    const names = this.curves.names;
    if (names.join() !== this.offered) {
      this.offered = names.join();
      if (this.chosen.length === 0) this.chosen = ['kinetic', 'elastic'].filter((name) => names.includes(name));
      if (this.chosen.length === 0) this.chosen = names.slice(0, 1);
      this.chooser.replaceChildren(...names.map((name) => {
        const box = el('input', { type: 'checkbox', change: () => {
          this.chosen = box.checked ? [...this.chosen, name] : this.chosen.filter((other) => other !== name);
          this.draw();
        } });
        box.checked = this.chosen.includes(name);
        return el('label', {}, box, ` ${name}`);
      }));
    }
    this.draw();
  }

  cursor(time: number): void {
    this.time = time;
    this.draw();
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext('2d')!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.root);
    const ink = style.color;
    const faint = style.getPropertyValue('--line');
    pen.font = '11px system-ui, sans-serif';
    const times = this.curves.series.column('time');
    if (times.length === 0) {
      pen.fillStyle = ink;
      pen.fillText('The run has no series yet.', MARGIN.left, height / 2);
      this.legend.replaceChildren();
      return;
    }
    this.span = [times[0]!, Math.max(times[times.length - 1]!, times[0]! + 1e-12)];
    const scaled = (value: number) => (this.logarithmic ? (value > 0 ? Math.log10(value) : NaN) : value);
    const span = (names: string[]): [number, number] => {
      let low = Infinity;
      let high = -Infinity;
      for (const name of names)
        for (const value of this.curves.values(name)) {
          const y = scaled(value);
          if (y < low) low = y;
          if (y > high) high = y;
        }
      if (!(low <= high)) return [0, 1];
      return low < high ? [low, high] : [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
    };
    const common = span(this.chosen);
    const w = width - MARGIN.left - MARGIN.right;
    const h = height - MARGIN.top - MARGIN.bottom;
    const x = (time: number) => MARGIN.left + ((time - this.span[0]) / (this.span[1] - this.span[0])) * w;
    const heights = ([low, high]: [number, number]) => (value: number) => MARGIN.top + h - ((scaled(value) - low) / (high - low)) * h;

    pen.strokeStyle = faint;
    pen.fillStyle = ink;
    pen.lineWidth = 1;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const [low, high] = common;
    // With scales of their own the curves have no common numbers; the legend tells their values at the cursor.
    for (const tick of this.ownScales ? [] : ticks(low, high, Math.max(2, h / 34))) {
      const at = MARGIN.top + h - ((tick - low) / (high - low)) * h;
      pen.beginPath();
      pen.moveTo(MARGIN.left, at);
      pen.lineTo(MARGIN.left + w, at);
      pen.stroke();
      pen.fillText(tell(this.logarithmic ? 10 ** tick : Math.abs(tick) < 1e-9 * (high - low) ? 0 : tick), MARGIN.left - 6, at);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (const tick of ticks(this.span[0], this.span[1], w / 90)) pen.fillText(`${tell(tick)} s`, x(tick), MARGIN.top + h + 6);

    this.chosen.forEach((name, k) => this.curve(pen, this.curves.values(name), this.curves.times(name), x, heights(this.ownScales ? span([name]) : common), css(PALETTE[k % PALETTE.length]!), w));
    pen.strokeStyle = style.getPropertyValue('--accent');
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x(this.time), MARGIN.top);
    pen.lineTo(x(this.time), MARGIN.top + h);
    pen.stroke();

    this.legend.replaceChildren(...this.chosen.map((name, k) => {
      const mark = el('i');
      mark.style.background = css(PALETTE[k % PALETTE.length]!);
      return el('span', {}, mark, `${name} ${tell(this.curves.at(name, this.time))}`);
    }));
  }

  // Rows that fall on one pixel are drawn as the span of their values.
  private curve(pen: CanvasRenderingContext2D, values: readonly number[], times: readonly number[], x: (t: number) => number, y: (v: number) => number, color: string, width: number): void {
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    let begun = false;
    const bundle = Math.max(1, Math.floor(values.length / (2 * width)));
    for (let k = 0; k < values.length; k += bundle) {
      let least = k;
      let most = k;
      for (let j = k; j < Math.min(values.length, k + bundle); ++j) {
        if (values[j]! < values[least]!) least = j;
        if (values[j]! > values[most]!) most = j;
      }
      for (const j of least < most ? [least, most] : least > most ? [most, least] : [least]) {
        const up = y(values[j]!);
        if (!Number.isFinite(up)) { begun = false; continue; }
        if (begun) pen.lineTo(x(times[j]!), up);
        else pen.moveTo(x(times[j]!), up);
        begun = true;
      }
    }
    pen.stroke();
  }
}
