// Color maps with lightness that rises evenly, so that equal steps of a value look like equal steps. They are drawn as
// paths in the OKLCh space (lightness, chroma, hue; Ottosson 2020) and converted to sRGB here.

export type Rgb = [number, number, number];

interface Stop {
  lightness: number;
  chroma: number;
  hue: number; // degrees
}

const PATHS: Record<string, Stop[]> = {
  tide: [
    { lightness: 0.42, chroma: 0.15, hue: 283 },
    { lightness: 0.55, chroma: 0.13, hue: 245 },
    { lightness: 0.68, chroma: 0.115, hue: 190 },
    { lightness: 0.81, chroma: 0.15, hue: 135 },
    { lightness: 0.94, chroma: 0.15, hue: 100 },
  ],
  ember: [
    { lightness: 0.31, chroma: 0.11, hue: 300 },
    { lightness: 0.47, chroma: 0.16, hue: 345 },
    { lightness: 0.63, chroma: 0.19, hue: 30 },
    { lightness: 0.79, chroma: 0.15, hue: 65 },
    { lightness: 0.95, chroma: 0.1, hue: 100 },
  ],
  slate: [
    { lightness: 0.25, chroma: 0.02, hue: 260 },
    { lightness: 0.97, chroma: 0.01, hue: 260 },
  ],
  poles: [
    { lightness: 0.45, chroma: 0.15, hue: 255 },
    { lightness: 0.7, chroma: 0.08, hue: 250 },
    { lightness: 0.95, chroma: 0.0, hue: 250 },
    { lightness: 0.95, chroma: 0.0, hue: 30 },
    { lightness: 0.7, chroma: 0.11, hue: 35 },
    { lightness: 0.45, chroma: 0.16, hue: 28 },
  ],
};

export const MAPS = Object.keys(PATHS);
export const MAP_LABELS: Record<string, string> = { tide: 'Tide', ember: 'Ember', slate: 'Slate (gray)', poles: 'Poles (diverging)' };

function rgbOf(hex: string): Rgb {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255) as Rgb;
}

// For values that are names. Sand, steel, brick, leaf, ...
export const PALETTE: Rgb[] = ['#d8a23e', '#4a86c0', '#b8493f', '#6aa367', '#8a6cb0', '#c97aa8', '#4fb0a8', '#9a8a76', '#d9793a', '#7f8fa6'].map(rgbOf);

function srgb(linear: number): number {
  const x = Math.min(1, Math.max(0, linear));
  return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
}

function fromOklch({ lightness, chroma, hue }: Stop): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    srgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

// Color at t from 0 to 1.
export function colorAt(map: string, t: number): Rgb {
  const path = PATHS[map] ?? PATHS['tide']!;
  const at = Math.min(1, Math.max(0, t)) * (path.length - 1);
  const k = Math.min(path.length - 2, Math.floor(at));
  const from = path[k]!;
  const to = path[k + 1]!;
  const mix = (x: number, y: number) => x + (at - k) * (y - x);
  // The shorter way around the circle of hues.
  const turn = ((to.hue - from.hue + 540) % 360) - 180;
  return fromOklch({ lightness: mix(from.lightness, to.lightness), chroma: mix(from.chroma, to.chroma), hue: from.hue + (at - k) * turn });
}

// Of things with names: their own colors where they have one ("#rrggbb"), else those of the palette, which repeats.
export function categoryColor(k: number, own: readonly string[] = []): Rgb {
  const hex = own[k] ?? '';
  return /^#[0-9a-f]{6}$/i.test(hex) ? rgbOf(hex) : PALETTE[k % PALETTE.length]!;
}

// 256 colors as RGBA bytes, for a texture; of categories with these colors of their own, or of a map.
export function colorTable(map: string | readonly string[]): Uint8Array {
  const out = new Uint8Array(1024);
  for (let k = 0; k < 256; ++k) {
    const color = typeof map === 'string' ? colorAt(map, k / 255) : categoryColor(k, map);
    out.set([...color.map((value) => Math.round(255 * value)), 255], 4 * k);
  }
  return out;
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;
}
