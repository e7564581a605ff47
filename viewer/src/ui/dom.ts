// Small helpers to build the page. Text is always set as text, never as HTML.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

const ICONS: Record<string, string> = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  first: 'M5 4h3v16H5zM20 4v16L9 12z',
  last: 'M16 4h3v16h-3zM4 4v16l11-8z',
  previous: 'M17 4v16L6 12z',
  next: 'M7 4v16l11-8z',
  loop: 'M7 7h9v3l4-4-4-4v3H5v7h2zM17 17H8v-3l-4 4 4 4v-3h11v-7h-2z',
  camera: 'M4 7h4l2-2h4l2 2h4v12H4zM12 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  film: 'M3 5h18v14H3zM5 7v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zM17 7v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zM9 7v4h6V7zm0 6v4h6v-4z',
  theme: 'M12 3a9 9 0 1 0 0 18zM13 3v18a9 9 0 0 0 0-18z',
  help: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1 14h2v2h-2zm1-10a4 4 0 0 1 2.2 7.3c-.9.6-1.2 1-1.2 1.7h-2c0-1.700.8-2.500 1.900-3.200A2 2 0 1 0 10 10H8a4 4 0 0 1 4-4z',
  chart: 'M4 4h2v14h14v2H4zM8 14l3.500-4 3 2.500L19 7l1.500 1.300-5.700 6.700-3-2.500L9.500 15.300z',
  panel: 'M3 4h18v16H3zM5 6v12h9V6z',
  close: 'M6 4.600 12 10.600l6-6L19.400 6l-6 6 6 6-1.400 1.400-6-6-6 6L4.600 18l6-6-6-6z',
  target: 'M11 2h2v3.100A7 7 0 0 1 18.900 11H22v2h-3.100A7 7 0 0 1 13 18.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  fit: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
};

export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name] ?? '');
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

export function iconButton(name: string, label: string, press: () => void): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, click: press });
  button.append(icon(name));
  return button;
}

export function setIcon(button: HTMLButtonElement, name: string, label: string): void {
  button.replaceChildren(icon(name));
  button.setAttribute('aria-label', label);
  button.title = label;
}

export function select(label: string, options: [value: string, text: string][], change: (value: string) => void): HTMLSelectElement {
  const made = el('select', { 'aria-label': label, change: () => change(made.value) });
  for (const [value, text] of options) made.append(el('option', { value }, text));
  return made;
}

export function row(label: string, control: HTMLElement): HTMLLabelElement {
  return el('label', { class: 'row' }, el('span', {}, label), control);
}

export function toggle(label: string, on: boolean, change: (on: boolean) => void): { row: HTMLElement; input: HTMLInputElement } {
  const input = el('input', { type: 'checkbox', role: 'switch', change: () => change(input.checked) });
  input.checked = on;
  return { row: el('label', { class: 'row switch' }, el('span', {}, label), input), input };
}

export function slider(label: string, [low, high, step]: [number, number, number], value: number, change: (value: number) => void): HTMLInputElement {
  const input = el('input', { type: 'range', min: low, max: high, step, 'aria-label': label, input: () => change(Number(input.value)) });
  input.value = String(value);
  return input;
}

// Four significant digits, as short as that can be said.
export function tell(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(3).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}
