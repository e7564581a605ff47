// Reads what src/view/pack.h writes: a preamble, a header in JSON, and arrays in one block.

export type Numbers = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array;

interface ArrayEntry {
  name: string;
  components: number;
  count: number;
  type: string;
  coding: 'plain' | 'constant' | 'counting' | 'steps';
  offset: number;
  low?: number[];
  high?: number[];
}

export interface AvailableField {
  name: string;
  components: number;
  whole: boolean; // integers
}

interface PackHeader {
  kind: string;
  time: number;
  step: number;
  names?: Record<string, string[]>;
  grains?: number;
  available?: AvailableField[];
  arrays: ArrayEntry[];
}

const PREAMBLE = 16;
const WIDTHS: Record<string, number> = { float32: 4, float64: 8, uint8: 1, uint16: 2, uint32: 4, int16: 2, int32: 4 };

function view(type: string, buffer: ArrayBuffer, at: number, length: number): Numbers {
  switch (type) {
    case 'float32': return new Float32Array(buffer, at, length);
    case 'float64': return new Float64Array(buffer, at, length);
    case 'uint8': return new Uint8Array(buffer, at, length);
    case 'uint16': return new Uint16Array(buffer, at, length);
    case 'uint32': return new Uint32Array(buffer, at, length);
    case 'int16': return new Int16Array(buffer, at, length);
    case 'int32': return new Int32Array(buffer, at, length);
    default: throw new Error(`a pack has numbers of an unknown type "${type}"`);
  }
}

// Arrays that are there already, in place of the bytes of a pack.
export interface MadePack {
  header: Omit<PackHeader, 'arrays'>;
  arrays: Map<string, { components: number; values: Numbers }>;
}

export class Pack {
  readonly header: PackHeader;
  private readonly buffer: ArrayBuffer;
  private readonly block: number;
  private readonly entries = new Map<string, ArrayEntry>();
  private readonly decoded = new Map<string, Numbers>();

  constructor(source: ArrayBuffer | MadePack) {
    if (!(source instanceof ArrayBuffer)) {
      this.buffer = new ArrayBuffer(0);
      this.block = 0;
      const arrays: ArrayEntry[] = [];
      for (const [name, { components, values }] of source.arrays) {
        const entry: ArrayEntry = { name, components, count: values.length / components, type: 'float32', coding: 'steps', offset: 0 };
        arrays.push(entry);
        this.entries.set(name, entry);
        this.decoded.set(name, values);
      }
      this.header = { ...source.header, arrays };
      return;
    }
    const buffer = (this.buffer = source);
    const bytes = new Uint8Array(buffer);
    if (bytes.length < PREAMBLE || String.fromCharCode(...bytes.subarray(0, 4)) !== 'SCRV') throw new Error('this is no pack of scree');
    const words = new DataView(buffer);
    const version = words.getUint32(4, true);
    if (version !== 1) throw new Error(`this pack is of version ${version}; the viewer reads version 1`);
    const headerBytes = words.getUint32(8, true);
    this.block = PREAMBLE + headerBytes;
    if (this.block > bytes.length) throw new Error('this pack is cut short');
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(PREAMBLE, this.block))) as PackHeader;
    for (const entry of this.header.arrays) {
      const width = WIDTHS[entry.type];
      if (width === undefined) throw new Error(`a pack has numbers of an unknown type "${entry.type}"`);
      const stored = entry.coding === 'constant' || entry.coding === 'counting' ? Math.min(1, entry.count) : entry.count;
      if (this.block + entry.offset + stored * entry.components * width > bytes.length) throw new Error('this pack is cut short');
      this.entries.set(entry.name, entry);
    }
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  components(name: string): number {
    return this.entries.get(name)?.components ?? 0;
  }

  // Tuples of an array; 0 when it is not there.
  count(name: string): number {
    return this.entries.get(name)?.count ?? 0;
  }

  names(list: string): string[] {
    return this.header.names?.[list] ?? [];
  }

  // Memory held once every array has been looked at.
  get bytes(): number {
    let sum = this.buffer.byteLength;
    for (const entry of this.entries.values()) if (entry.coding !== 'plain') sum += entry.count * entry.components * 4;
    return sum;
  }

  array(name: string): Numbers | undefined {
    const ready = this.decoded.get(name);
    if (ready) return ready;
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const values = this.decode(entry);
    this.decoded.set(name, values);
    return values;
  }

  // As floats, for the graphics card.
  floats(name: string): Float32Array | undefined {
    const values = this.array(name);
    if (!values || values instanceof Float32Array) return values;
    return Float32Array.from(values);
  }

  private decode(entry: ArrayEntry): Numbers {
    const at = this.block + entry.offset;
    const length = entry.count * entry.components;
    if (entry.coding === 'plain') return view(entry.type, this.buffer, at, length);
    if (entry.coding === 'constant') {
      const tuple = view(entry.type, this.buffer, at, entry.components);
      const out = entry.type === 'float32' ? new Float32Array(length) : new Float64Array(length);
      for (let k = 0; k < length; ++k) out[k] = tuple[k % entry.components]!;
      return out;
    }
    if (entry.coding === 'counting') {
      const first = view(entry.type, this.buffer, at, 1)[0]!;
      return Uint32Array.from({ length }, (_, k) => first + k);
    }
    if (entry.coding === 'steps') {
      const steps = new Uint16Array(this.buffer, at, length);
      const out = new Float32Array(length);
      for (let c = 0; c < entry.components; ++c) {
        const low = entry.low?.[c] ?? 0;
        const step = ((entry.high?.[c] ?? 0) - low) / 65535;
        for (let k = c; k < length; k += entry.components) out[k] = low + step * steps[k]!;
      }
      return out;
    }
    throw new Error(`a pack has an array in an unknown coding "${entry.coding as string}"`);
  }
}
