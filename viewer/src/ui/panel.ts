// The panel at the right: what is shown and how.
import { MAP_LABELS, MAPS } from '../data/colormap';
import type { Field } from '../data/fields';
import { el, row, select, slider, toggle } from './dom';

export interface PanelActions {
  field(key: string): void;
  map(name: string): void;
  range(low: number | null, high: number | null): void; // null: automatic
  walls(on: boolean): void;
  grains(on: boolean): void;
  chains(on: boolean): void;
  thickness(factor: number): void;
  threshold(part: number): void;
  opacity(value: number): void;
  shading(on: boolean): void;
  edges(on: boolean): void;
  cells(on: boolean): void;
  clip(axis: 'none' | 'x' | 'y' | 'z' | 'view', offset: number, flip: boolean): void;
}

function section(title: string, open: boolean, ...children: Node[]): HTMLDetailsElement {
  const made = el('details', { class: 'section' }, el('summary', {}, title), el('div', { class: 'body' }, ...children));
  made.open = open;
  return made;
}

export class Panel {
  readonly root: HTMLElement;
  readonly field: HTMLSelectElement;
  readonly map: HTMLSelectElement;
  readonly low = el('input', { type: 'text', inputmode: 'decimal', 'aria-label': 'Value at the first color', placeholder: 'auto' });
  readonly high = el('input', { type: 'text', inputmode: 'decimal', 'aria-label': 'Value at the last color', placeholder: 'auto' });
  readonly walls: HTMLInputElement;
  readonly chains: HTMLInputElement;
  readonly opacity: HTMLInputElement;
  readonly edges: { row: HTMLElement; input: HTMLInputElement };
  readonly cells: { row: HTMLElement; input: HTMLInputElement };
  readonly clipAxis: HTMLSelectElement;
  readonly clipOffset: HTMLInputElement;
  readonly info = el('table', { class: 'state' });
  readonly scene = el('pre', { tabindex: 0, 'aria-label': 'Scene file' });
  readonly sceneSection: HTMLDetailsElement;

  constructor(actions: PanelActions, dimension: number, selection: HTMLElement) {
    this.field = select('Color by', [], actions.field);
    this.map = select('Color map', MAPS.map((name) => [name, MAP_LABELS[name] ?? name]), actions.map);
    const range = () => {
      const read = (input: HTMLInputElement) => (input.value.trim() === '' || Number.isNaN(Number(input.value)) ? null : Number(input.value));
      actions.range(read(this.low), read(this.high));
    };
    this.low.addEventListener('change', range);
    this.high.addEventListener('change', range);

    const walls = toggle('Walls', true, actions.walls);
    const grains = toggle('Grains', true, actions.grains);
    const chains = toggle('Force chains', false, actions.chains);
    const shading = toggle('Shade by surroundings', true, actions.shading);
    this.walls = walls.input;
    this.chains = chains.input;
    this.edges = toggle('Triangulation', false, actions.edges);
    this.cells = toggle('Laguerre cells', false, actions.cells);
    this.opacity = slider('Opacity of grains', [0.03, 1, 0.01], 1, actions.opacity);

    const axes: [string, string][] = [['none', 'off'], ['x', 'across x'], ['y', 'across y']];
    if (dimension === 3) axes.push(['z', 'across z'], ['view', 'facing me']);
    const clip = () => actions.clip(this.clipAxis.value as 'none', Number(this.clipOffset.value), flip.input.checked);
    this.clipAxis = select('Clip plane', axes, clip);
    this.clipOffset = slider('Place of the clip plane', [0, 1, 0.002], 0.5, clip);
    const flip = toggle('Other side', false, clip);

    this.sceneSection = section('Scene', false, this.scene);
    this.root = el('aside', { class: 'panel', 'aria-label': 'Settings' },
      section('Color', true, row('by', this.field), row('map', this.map), el('div', { class: 'row' }, el('span', {}, 'range'), this.low, this.high)),
      section('Show', true, grains.row, walls.row, chains.row, ...(dimension === 3 ? [shading.row] : []),
        row('opacity', this.opacity),
        row('chain width', slider('Width of chains', [0.1, 4, 0.05], 1, actions.thickness)),
        row('weakest', slider('Weakest force shown, of the mean', [0, 3, 0.05], 0.2, actions.threshold)),
        this.edges.row, this.cells.row),
      section('Clip', false, row('plane', this.clipAxis), row('place', this.clipOffset), flip.row),
      section('Grain', true, selection),
      section('Run', true, this.info),
      this.sceneSection);
  }

  offer(fields: Field[], chosen: string): void {
    this.field.replaceChildren(...fields.map((field) => el('option', { value: field.key }, field.label)));
    this.field.value = chosen;
  }

  describe(rows: [string, string][]): void {
    this.info.replaceChildren(el('tbody', {}, ...rows.map(([name, text]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, text)))));
  }
}
