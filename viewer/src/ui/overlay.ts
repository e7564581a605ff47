// Axes and a scale bar over the lower right corner of the picture; also drawn into screenshots.
import { roundBelow } from '../data/round';
import { el } from './dom';

export interface Sight {
  axes: [x: number, y: number, z: number][]; // the unit vectors along x, y, z as the eye sees them: right, up, towards it
  metersPerPixel: number; // at the middle of what is looked at
}

const NAMES = ['x', 'y', 'z'];
const COLORS = ['#d9635b', '#5fb37c', '#5f9fe0'];
const SIZE = { width: 190, height: 74 };

// "20 mm" for 0.02.
export function lengthText(meters: number): string {
  for (const [unit, size] of [['km', 1e3], ['m', 1], ['mm', 1e-3], ['µm', 1e-6]] as const)
    if (meters >= 0.9999 * size) return `${Number((meters / size).toPrecision(3))} ${unit}`;
  return `${Number((meters * 1e9).toPrecision(3))} nm`;
}

export class Overlay {
  readonly root = el('canvas', { class: 'overlay', role: 'img', 'aria-label': 'Axes and scale' });
  private sight: Sight | null = null;

  show(sight: Sight): void {
    this.sight = sight;
    const ratio = window.devicePixelRatio;
    if (this.root.width !== SIZE.width * ratio) {
      this.root.width = SIZE.width * ratio;
      this.root.height = SIZE.height * ratio;
    }
    const pen = this.root.getContext('2d')!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, SIZE.width, SIZE.height);
    this.draw(pen, SIZE.width, SIZE.height, getComputedStyle(this.root).color);
  }

  // Into a picture, its lower right corner at the place given, `unit` pixels to a point of the page.
  paint(pen: CanvasRenderingContext2D, right: number, bottom: number, unit: number, ink: string): void {
    pen.save();
    pen.setTransform(unit, 0, 0, unit, right - SIZE.width * unit, bottom - SIZE.height * unit);
    this.draw(pen, SIZE.width, SIZE.height, ink);
    pen.restore();
  }

  private draw(pen: CanvasRenderingContext2D, width: number, height: number, ink: string): void {
    if (!this.sight) return;
    const { axes, metersPerPixel } = this.sight;
    pen.font = '600 11px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineWidth = 2;
    pen.lineCap = 'round';
    const [x0, y0, reach] = [width - 32, height - 36, 22];
    // Those that point away are drawn first.
    const order = axes.map((_, k) => k).sort((a, b) => axes[a]![2] - axes[b]![2]);
    for (const k of order) {
      const [right, up] = axes[k]!;
      const length = Math.hypot(right, up);
      pen.strokeStyle = pen.fillStyle = COLORS[k]!;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x0 + reach * right, y0 - reach * up);
      pen.stroke();
      if (length > 0.2) pen.fillText(NAMES[k]!, x0 + (reach + 8 / length) * right, y0 - (reach + 8 / length) * up);
    }
    if (!(metersPerPixel > 0) || !Number.isFinite(metersPerPixel)) return;
    const length = roundBelow(110 * metersPerPixel);
    const pixels = length / metersPerPixel;
    const right = width - 70;
    const y = height - 8;
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(right - pixels, y - 4);
    pen.lineTo(right - pixels, y);
    pen.lineTo(right, y);
    pen.lineTo(right, y - 4);
    pen.stroke();
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'bottom';
    pen.fillText(lengthText(length), right - pixels / 2, y - 4);
  }
}
