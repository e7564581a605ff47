// Writes packs as docs/viewer.md describes them, independently of the program.

export interface Part {
  name: string;
  components?: number;
  count: number;
  type: string;
  coding: string;
  values: ArrayBufferView;
  low?: number[];
  high?: number[];
}

export function makePack(header: Record<string, unknown>, parts: Part[], version = 1): ArrayBuffer {
  let offset = 0;
  const arrays = parts.map(({ values, components = 1, ...rest }) => {
    const entry = { ...rest, components, offset };
    offset += Math.ceil(values.byteLength / 8) * 8;
    return entry;
  });
  let text = JSON.stringify({ kind: 'grains', time: 0, step: 0, ...header, arrays });
  while (new TextEncoder().encode(text).length % 8) text += ' ';
  const head = new TextEncoder().encode(text);
  const out = new Uint8Array(16 + head.length + offset);
  out.set([83, 67, 82, 86]);
  new DataView(out.buffer).setUint32(4, version, true);
  new DataView(out.buffer).setUint32(8, head.length, true);
  out.set(head, 16);
  arrays.forEach((entry, k) => {
    const { values } = parts[k]!;
    out.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), 16 + head.length + entry.offset);
  });
  return out.buffer;
}
