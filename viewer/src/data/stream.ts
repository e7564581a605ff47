// Reads what src/view/frame_stream.h writes: frames as changes of the frame before, rows known by keys.
import { Pack, type Numbers } from './pack';

interface Column {
  name: string;
  components: number;
  bytes: number;
  scale: 'whole' | 'even' | 'root';
  low?: number[];
  high?: number[];
  changes: boolean;
}

interface Header {
  kind: string;
  time: number;
  step: number;
  names?: Record<string, string[]>;
  grains?: number;
  follows: boolean;
  rows: number;
  kept: number;
  added: number;
  runs: number;
  columns: Column[];
}

const PREAMBLE = 16;

// One frame: keys as pairs of 32-bit numbers, and the integers of each column, row by row.
export class StreamFrame {
  constructor(readonly header: Header, readonly high: Uint32Array, readonly low: Uint32Array, readonly values: Map<string, Uint32Array>) {}

  column(name: string): Float32Array | undefined {
    const about = this.header.columns.find((column) => column.name === name);
    const stored = this.values.get(name);
    if (!about || !stored) return undefined;
    const out = new Float32Array(stored.length);
    const most = about.bytes === 4 ? 4294967295 : 2 ** (8 * about.bytes) - 1;
    for (let k = 0; k < out.length; ++k) {
      const c = k % about.components;
      const low = about.low?.[c] ?? 0;
      const part = stored[k]! / most;
      out[k] = about.scale === 'whole' ? stored[k]! : low + ((about.high?.[c] ?? 0) - low) * (about.scale === 'root' ? part * part : part);
    }
    return out;
  }
}

export function follows(buffer: ArrayBuffer): boolean {
  return headerOf(buffer).header.follows;
}

function headerOf(buffer: ArrayBuffer): { header: Header; block: Uint8Array } {
  const bytes = new Uint8Array(buffer);
  if (bytes.length < PREAMBLE || String.fromCharCode(...bytes.subarray(0, 4)) !== 'SCRF') throw new Error('this is no frame of scree');
  const words = new DataView(buffer);
  if (words.getUint32(4, true) !== 1) throw new Error('this frame is of another version than the viewer');
  const end = PREAMBLE + words.getUint32(8, true);
  if (end > bytes.length) throw new Error('this frame is cut short');
  return { header: JSON.parse(new TextDecoder().decode(bytes.subarray(PREAMBLE, end))) as Header, block: bytes.subarray(end) };
}

export function readStream(buffer: ArrayBuffer, before: StreamFrame | null): StreamFrame {
  const { header, block } = headerOf(buffer);
  if (header.follows && !before) throw new Error('the frame before this one is missing');
  let at = 0;
  const planes = (count: number, bytes: number): Uint32Array => {
    if (at + count * bytes > block.length) throw new Error('this frame is cut short');
    const out = new Uint32Array(count);
    for (let plane = 0; plane < bytes; ++plane, at += count)
      for (let k = 0; k < count; ++k) out[k] = (out[k]! | (block[at + k]! << (8 * plane))) >>> 0;
    return out;
  };
  const runs = planes(header.runs, 4);
  const addedHigh = planes(header.added, 4);
  const addedLow = planes(header.added, 4);
  const kept = new Uint32Array(header.kept); // rows of the frame before
  for (let run = 0, row = 0, k = 0; run < runs.length; ++run)
    for (let n = 0; n < runs[run]!; ++n, ++row) if (run % 2) kept[k++] = row;

  // Both lists rise; merged they are the rows of this frame.
  const high = new Uint32Array(header.rows);
  const low = new Uint32Array(header.rows);
  const from = new Int32Array(header.rows).fill(-1);
  let keyHigh = 0;
  let keyLow = 0;
  const next = (k: number) => {
    const sum = keyLow + addedLow[k]!;
    keyHigh = (keyHigh + addedHigh[k]! + (sum > 4294967295 ? 1 : 0)) >>> 0;
    keyLow = sum >>> 0;
  };
  if (header.added > 0) next(0);
  for (let row = 0, k = 0, a = 0; row < header.rows; ++row) {
    const known = k < kept.length ? kept[k]! : -1;
    const knownHigh = known < 0 ? Infinity : before!.high[known]!;
    const takesKnown = a >= header.added || knownHigh < keyHigh || (knownHigh === keyHigh && before!.low[known]! < keyLow);
    if (takesKnown) {
      high[row] = before!.high[known]!;
      low[row] = before!.low[known]!;
      from[row] = known;
      ++k;
    } else {
      high[row] = keyHigh;
      low[row] = keyLow;
      if (++a < header.added) next(a);
    }
  }

  const values = new Map<string, Uint32Array>();
  for (const { name, components, bytes, changes } of header.columns) {
    const stored = planes(header.rows * components, bytes);
    const out = new Uint32Array(stored.length);
    const old = changes ? before?.values.get(name) : undefined;
    const most = bytes === 4 ? 4294967295 : 2 ** (8 * bytes) - 1;
    for (let c = 0, k = 0; c < components; ++c)
      for (let row = 0; row < header.rows; ++row, ++k) {
        let value = stored[k]!;
        if (changes) {
          value = (value >>> 1) ^ (value & 1 ? most : 0);
          if (old && from[row]! >= 0) value += old[from[row]! * components + c]!;
          value = bytes === 4 ? value >>> 0 : value & most;
        }
        out[row * components + c] = value;
      }
    values.set(name, out);
  }
  return new StreamFrame(header, high, low, values);
}

const WHOLE = new Set(['group', 'material', 'shape', 'contacts']);

export function grainsOf(frame: StreamFrame): Pack {
  const arrays = new Map<string, { components: number; values: Numbers }>([['id', { components: 1, values: frame.low }]]);
  for (const { name, components } of frame.header.columns) arrays.set(name, { components, values: frame.column(name)! });
  const available = [...arrays].filter(([name]) => name !== 'position').map(([name, { components }]) => ({ name, components, whole: name === 'id' || WHOLE.has(name) }));
  const { kind, time, step, names, grains } = frame.header;
  return new Pack({ header: { kind, time, step, names: names ?? {}, grains: grains ?? frame.low.length, available }, arrays });
}

// A key is the grain (27 bits), its partner (27 bits; walls count down from the last) and the place among their contacts.
const PARTNERS = 2 ** 27;

export function contactsOf(frame: StreamFrame, ends: StreamFrame | null, grains: Pack): Pack {
  const n = frame.low.length;
  const ids = grains.array('id')!;
  const centers = grains.array('position')!;
  const rows = new Map<number, number>();
  for (let row = 0; row < ids.length; ++row) rows.set(ids[row]!, row);
  const a = new Uint32Array(n);
  const b = new Uint32Array(n);
  const wall = new Int32Array(n).fill(-1);
  const position = new Float32Array(6 * n);
  const elsewhere = ends?.column('end');
  for (let k = 0, e = 0; k < n; ++k) {
    const high = frame.high[k]!;
    const low = frame.low[k]!;
    a[k] = high >>> 5;
    const partner = (high & 31) * 2 ** 22 + (low >>> 10);
    if (partner >= PARTNERS - 65536) wall[k] = PARTNERS - 1 - partner;
    else b[k] = partner;
    const first = 3 * (rows.get(a[k]!) ?? 0);
    const second = 3 * (rows.get(b[k]!) ?? 0);
    const explicit = ends !== null && elsewhere !== undefined && ends.high[e] === high && ends.low[e] === low;
    for (let c = 0; c < 3; ++c) {
      position[6 * k + c] = centers[first + c]!;
      position[6 * k + 3 + c] = explicit ? elsewhere[3 * e + c]! : centers[second + c]!;
    }
    if (explicit) ++e;
  }
  const one = (values: Numbers) => ({ components: 1, values });
  const { kind, time, step, names } = frame.header;
  const arrays = new Map([
    ['position', { components: 3, values: position as Numbers }],
    ['line_normal_force', one(frame.column('normal_force')!)], ['line_a', one(a)], ['line_b', one(b)], ['line_wall', one(wall)],
  ]);
  return new Pack({ header: { kind, time, step, names: names ?? {} }, arrays });
}
