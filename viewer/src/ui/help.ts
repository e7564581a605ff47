import { el, iconButton } from './dom';

const KEYS: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame back or on'],
  ['Home End', 'first or last frame'],
  ['1 … 6', 'front, back, left, right, top, bottom'],
  ['0', 'diagonal view of everything'],
  ['Z', 'close to the grains, from the same side'],
  ['O', 'parallel or perspective view'],
  ['C', 'next thing to color by'],
  ['W', 'walls on or off'],
  ['F', 'force chains on or off'],
  ['X', 'clip plane on or off'],
  ['G', 'follow the selected grain'],
  ['P', 'plots on or off'],
  ['S', 'save the picture as PNG'],
  ['T', 'dark or light'],
  ['Esc', 'select nothing; close this'],
];

export class Help {
  readonly root: HTMLDialogElement;

  constructor(version: string) {
    const rows = KEYS.map(([keys, meaning]) => el('tr', {}, el('th', { scope: 'row' }, ...keys.split(' ').flatMap((key, k) => (k ? [' ', el('kbd', {}, key)] : [el('kbd', {}, key)]))), el('td', {}, meaning)));
    this.root = el('dialog', { class: 'help', 'aria-label': 'Help' },
      el('header', {}, el('h2', {}, 'Keys and mouse'), iconButton('close', 'Close', () => this.root.close())),
      el('table', {}, el('tbody', {}, ...rows)),
      el('p', {}, 'Drag turns, right drag (or Shift and drag) moves, the wheel zooms to where it points, a click selects a grain. On a touch screen: one finger turns, two move and zoom.'),
      el('p', { class: 'quiet' }, `scree ${version}`));
    this.root.addEventListener('click', (event) => { if (event.target === this.root) this.root.close(); });
  }

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}
