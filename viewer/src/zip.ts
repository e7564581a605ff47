// A ZIP archive of files that are compressed already: stored as they are, with their checksums.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

export function zip(files: { name: string; data: Uint8Array }[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const put = (list: Uint8Array[], words: [number, number][], ...rest: Uint8Array[]): number => {
    const head = new DataView(new ArrayBuffer(words.reduce((sum, [width]) => sum + width, 0)));
    let offset = 0;
    for (const [width, value] of words) {
      if (width === 2) head.setUint16(offset, value, true);
      else head.setUint32(offset, value, true);
      offset += width;
    }
    list.push(new Uint8Array(head.buffer), ...rest);
    return offset + rest.reduce((sum, bytes) => sum + bytes.length, 0);
  };
  for (const { name, data } of files) {
    const spelled = new TextEncoder().encode(name);
    const sum = crc32(data);
    // Version 2.0, names in UTF-8, stored, 1 January 1980.
    const common: [number, number][] = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, sum], [4, data.length], [4, data.length], [2, spelled.length], [2, 0]];
    put(directory, [[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]], spelled);
    at += put(parts, [[4, 0x04034b50], ...common], spelled, data);
  }
  const size = directory.reduce((sum, bytes) => sum + bytes.length, 0);
  put(directory, [[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]]);
  return [...parts, ...directory];
}
