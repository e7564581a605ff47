// The state of the selected grain.
import type { Pack } from '../data/pack';
import { rowOfId } from '../data/fields';
import { el, tell, toggle } from './dom';

const UNITS: Record<string, string> = { position: 'm', radius: 'm', velocity: 'm/s', spin: '1/s', force: 'N', pressure: 'Pa' };
const LISTS: Record<string, string> = { group: 'group_names', shape: 'shape_names', material: 'material_names' };

export class Selection {
  readonly root: HTMLElement;
  private readonly table = el('table', { class: 'state' });
  private readonly note = el('p', { class: 'quiet' }, 'Click a grain to read its state.');
  private readonly tools: HTMLElement;
  readonly follow: HTMLInputElement;

  constructor(follow: (on: boolean) => void, clear: () => void) {
    const switched = toggle('Follow it', false, follow);
    this.follow = switched.input;
    this.tools = el('div', {}, switched.row, el('button', { type: 'button', click: clear }, 'Select nothing'));
    this.tools.hidden = true;
    this.root = el('div', { class: 'selection' }, this.note, this.table, this.tools);
  }

  show(id: number | null, pack: Pack | null): void {
    this.tools.hidden = id === null;
    const at = id === null || !pack ? -1 : rowOfId(pack.array('id') ?? [], id);
    this.note.textContent = id === null ? 'Click a grain to read its state.' : at < 0 ? `Grain ${id} is not in this frame.` : `Grain ${id}`;
    if (at < 0 || !pack) return this.table.replaceChildren();
    const rows: HTMLElement[] = [];
    for (const { name, components } of pack.header.arrays) {
      if (name === 'id') continue;
      const values = pack.array(name)!;
      const numbers = Array.from({ length: components }, (_, c) => values[at * components + c]!);
      const named = components === 1 ? pack.names(LISTS[name] ?? '')[numbers[0]!] : undefined;
      const text = named ?? numbers.map(tell).join(', ');
      rows.push(this.row(name.replaceAll('_', ' '), text, named ? '' : (UNITS[name] ?? '')));
      if (name === 'velocity') rows.push(this.row('speed', tell(Math.hypot(...numbers)), 'm/s'));
    }
    this.table.replaceChildren(el('tbody', {}, ...rows));
  }

  private row(name: string, text: string, unit: string): HTMLElement {
    return el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, unit ? `${text} ${unit}` : text));
  }
}
