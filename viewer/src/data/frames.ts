// Frames as they are asked for: each fetched once, kept while there is room, so that a long run takes no more memory than
// a short one.
import { Lru } from './lru';
import type { Pack } from './pack';
import type { Kind, Source } from './source';

export class FrameStore {
  private readonly kept: Lru<Pack | null>;
  private readonly underway = new Map<string, Promise<Pack | null>>();

  constructor(private readonly source: Source, mostBytes: number) {
    this.kept = new Lru(mostBytes);
  }

  // What is here already; undefined when it must be fetched.
  ready(number: number, kind: Kind, fields: string[]): Pack | null | undefined {
    return this.kept.get(this.key(number, kind, fields));
  }

  get(number: number, kind: Kind, fields: string[]): Promise<Pack | null> {
    const key = this.key(number, kind, fields);
    const here = this.kept.get(key);
    if (here !== undefined) return Promise.resolve(here);
    const asked = this.underway.get(key);
    if (asked) return asked;
    const answer = this.source
      .frame(number, kind, fields)
      .then((pack) => {
        if (this.underway.get(key) === answer) this.kept.put(key, pack, pack?.bytes ?? 64);
        return pack;
      })
      .finally(() => {
        if (this.underway.get(key) === answer) this.underway.delete(key);
      });
    this.underway.set(key, answer);
    return answer;
  }

  clear(): void {
    this.kept.clear();
    this.underway.clear();
  }

  get bytes(): number {
    return this.kept.bytes;
  }

  private key(number: number, kind: Kind, fields: string[]): string {
    return `${number}/${kind}/${[...fields].sort().join(',')}`;
  }
}

// A quarter of what the browser says the machine has, between 128 MB and 1 GB.
export function memoryForFrames(): number {
  const gigabytes = (navigator as Navigator & { deviceMemory?: number }).deviceMemory ?? 4;
  return Math.min(1024, Math.max(128, gigabytes * 256)) * 2 ** 20;
}
