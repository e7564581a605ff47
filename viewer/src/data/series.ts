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

  // Whether times rise from row to row; a table with several rows at a time (layers) does not.
  get overTime(): boolean {
    const times = this.rows[0] ?? [];
    return this.names[0] === 'time' && times.every((time, k) => k === 0 || time > times[k - 1]!);
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

// What can be drawn over time: the columns of series.csv by their names, and those of the measures as NAME.COLUMN.
export class Curves {
  readonly series = new Series();
  private readonly measures = new Map<string, Series>();

  measure(name: string): Series {
    let table = this.measures.get(name);
    if (!table) this.measures.set(name, (table = new Series()));
    return table;
  }

  clear(): void {
    this.series.clear();
    this.measures.clear();
  }

  get names(): string[] {
    const names = this.series.names.slice(1);
    for (const [name, table] of this.measures) if (table.overTime) names.push(...table.names.slice(1).map((column) => `${name}.${column}`));
    return names;
  }

  // The table that a name is of, and its column there. Names of columns may hold dots, those of measures do not.
  private find(name: string): [Series, string] {
    const table = this.measures.get(name.slice(0, name.indexOf('.')));
    return table && !this.series.names.includes(name) ? [table, name.slice(name.indexOf('.') + 1)] : [this.series, name];
  }

  times(name: string): readonly number[] {
    return this.find(name)[0].column('time');
  }

  values(name: string): readonly number[] {
    const [table, column] = this.find(name);
    return table.column(column);
  }

  at(name: string, time: number): number {
    return this.values(name)[this.find(name)[0].rowAt(time)] ?? NaN;
  }
}
