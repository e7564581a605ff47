// What the colors mean, over the lower left corner of the picture; also drawn into screenshots.
import { categoryColor, colorAt, css, type Rgb } from '../data/colormap';
import { el, tell } from './dom';

export interface LegendContent {
  title: string;
  unit: string;
  map: string;
  low: number;
  high: number;
  categories: string[] | null;
  colors?: readonly string[]; // of categories, where they have their own
}

export class Legend {
  readonly root = el('div', { class: 'legend', role: 'group', 'aria-label': 'Legend of the colors' });
  content: LegendContent | null = null;
  private told = '';

  show(content: LegendContent): void {
    this.content = content;
    const text = JSON.stringify(content);
    if (text === this.told) return;
    this.told = text;
    const title = el('div', { class: 'title' }, content.unit ? `${content.title} (${content.unit})` : content.title);
    if (content.categories) {
      const items = content.categories.map((name, k) => {
        const mark = el('i');
        mark.style.background = css(categoryColor(k, content.colors));
        return el('span', { class: 'category' }, mark, name);
      });
      this.root.replaceChildren(title, el('div', { class: 'categories' }, ...items.slice(0, 12)));
      return;
    }
    const bar = el('div', { class: 'bar' });
    const stops = Array.from({ length: 17 }, (_, k) => css(colorAt(content.map, k / 16)));
    bar.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    // Where all are equal there is one number, in the middle of the bar as its color is.
    const numbers = content.high > content.low ? [tell(content.low), tell((content.low + content.high) / 2), tell(content.high)] : ['', tell(content.low), ''];
    this.root.replaceChildren(title, bar, el('div', { class: 'ends' }, ...numbers.map((text, k) => el('span', { class: k === 1 && content.high > content.low ? 'middle-number' : '' }, text))));
  }

  // Into a picture, above a line `height` pixels below its top, `unit` pixels to a point of the page.
  paint(pen: CanvasRenderingContext2D, height: number, unit: number, ink: string): void {
    const content = this.content;
    if (!content || this.root.hidden) return;
    const left = 16 * unit;
    const width = 220 * unit;
    pen.fillStyle = ink;
    pen.textBaseline = 'bottom';
    pen.textAlign = 'left';
    pen.font = `600 ${13 * unit}px system-ui, sans-serif`;
    const title = content.unit ? `${content.title} (${content.unit})` : content.title;
    const swatch = (color: Rgb, x: number, y: number, w: number, h: number) => {
      pen.fillStyle = css(color);
      pen.fillRect(x, y, w, h);
    };
    if (content.categories) {
      const names = content.categories.slice(0, 12);
      const top = height - (20 + 18 * names.length) * unit;
      pen.fillText(title, left, top);
      pen.font = `${12 * unit}px system-ui, sans-serif`;
      names.forEach((name, k) => {
        swatch(categoryColor(k, content.colors), left, top + (4 + 18 * k) * unit, 12 * unit, 12 * unit);
        pen.fillStyle = ink;
        pen.fillText(name, left + 20 * unit, top + (18 + 18 * k) * unit);
      });
      return;
    }
    const top = height - 42 * unit;
    pen.fillText(title, left, top - 4 * unit);
    for (let k = 0; k < 110; ++k) swatch(colorAt(content.map, k / 109), left + (k * width) / 110, top, width / 110 + 1, 10 * unit);
    pen.fillStyle = ink;
    pen.font = `${11 * unit}px system-ui, sans-serif`;
    pen.textAlign = content.high > content.low ? 'left' : 'center';
    pen.fillText(tell(content.low), content.high > content.low ? left : left + width / 2, top + 26 * unit);
    pen.textAlign = 'right';
    if (content.high > content.low) pen.fillText(tell(content.high), left + width, top + 26 * unit);
  }
}
