// series.csv as columns of numbers, read piece by piece while the run writes it. Beyond a number of rows every second one
// is dropped, again and again, so that the memory stays bounded and the shape of the curves stays.
const MOST_ROWS = 1 << 17;

export class Series {
  names: string[] = [];
  private rows: number[][] = []; // by column
  private rest = '';
  private stride = 1;
  private seen = 0;
  bytesRead = 0;

  add(text: string): void {
    this.bytesRead += new TextEncoder().encode(text).length;
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line) continue;
      const cells = line.split(',');
      if (this.names.length === 0) {
        this.names = cells.map((cell) => cell.trim());
        this.rows = this.names.map(() => []);
        continue;
      }
      if (this.seen++ % this.stride !== 0) continue;
      this.names.forEach((_, k) => this.rows[k]!.push(cells[k] === undefined || cells[k] === '' ? NaN : Number(cells[k])));
      if (this.length >= MOST_ROWS) this.thin();
    }
  }

  clear(): void {
    this.names = [];
    this.rows = [];
    this.rest = '';
    this.stride = 1;
    this.seen = 0;
    this.bytesRead = 0;
  }

  get length(): number {
    return this.rows[0]?.length ?? 0;
  }

  column(name: string): readonly number[] {
    return this.rows[this.names.indexOf(name)] ?? [];
  }

  // Row nearest to a time; -1 without rows.
  rowAt(time: number): number {
    const times = this.rows[0] ?? [];
    let low = 0;
    let high = times.length - 1;
    if (high < 0) return -1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle;
    }
    return Math.abs(times[low]! - time) <= Math.abs(times[high]! - time) ? low : high;
  }

  private thin(): void {
    this.rows = this.rows.map((column) => column.filter((_, k) => k % 2 === 0));
    this.stride *= 2;
  }
}
