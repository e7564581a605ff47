// Things kept by key up to a sum of sizes; what was used longest ago goes first. The newest one is always kept.
export class Lru<T> {
  private readonly entries = new Map<string, { value: T; size: number }>();
  private sum = 0;

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry); // a map keeps the order of insertion: now it is the newest
    return entry.value;
  }

  put(key: string, value: T, size: number): void {
    const before = this.entries.get(key);
    if (before) this.sum -= before.size;
    this.entries.delete(key);
    this.entries.set(key, { value, size });
    this.sum += size;
    for (const [oldest, entry] of this.entries) {
      if (this.sum <= this.most || this.entries.size === 1) break;
      this.entries.delete(oldest);
      this.sum -= entry.size;
    }
  }

  clear(): void {
    this.entries.clear();
    this.sum = 0;
  }

  get bytes(): number {
    return this.sum;
  }

  get count(): number {
    return this.entries.size;
  }
}
