// Where a run comes from: the server of `scree view`, or elements of the page itself when it was exported.
import { Pack } from './pack';

export type Kind = 'grains' | 'contacts' | 'walls' | 'triangulation' | 'cells';

// run.json, of which any key may be missing.
export interface RunRecord {
  status?: string;
  message?: string;
  version?: string;
  title?: string;
  dimension?: number;
  grains?: number;
  contacts?: number;
  time?: number;
  duration?: number;
  time_step?: number;
  steps?: number;
  resumes?: number;
  max_overlap?: number;
  [key: string]: unknown;
}

export interface Summary {
  viewer: string;
  name: string;
  run: RunRecord | null;
  frames: number;
  from: number;
  times: number[]; // of frames from `from` on
  triangulation: number[]; // frames that have them
  cells: number[];
  series_bytes: number;
  shapes: string[];
  numbers?: number[]; // of an exported page: the frames of the run that it holds
  frames_of_run?: number;
  same_walls?: number[];
  share_of_grains?: number;
  contacts?: boolean;
}

export interface Source {
  readonly live: boolean; // may grow
  summary(from: number): Promise<Summary>;
  // Null when the frame has nothing of that kind.
  frame(number: number, kind: Kind, fields: string[]): Promise<Pack | null>;
  // One grain with all its fields.
  grain(number: number, id: number): Promise<Pack | null>;
  series(fromByte: number): Promise<string>;
  scene(): Promise<string>;
  shape(name: string): Promise<ArrayBuffer | null>;
}

export class ServerSource implements Source {
  readonly live = true;

  private async get(path: string): Promise<Response | null> {
    const response = await fetch(path, { cache: 'no-store' });
    if (response.status === 404 || response.status === 204) return null;
    if (!response.ok) throw new Error((await response.text()).trim() || `the server answered ${response.status}`);
    return response;
  }

  async summary(from: number): Promise<Summary> {
    const response = await this.get(`/api/run?from=${from}`);
    if (!response) throw new Error('the server does not know the run');
    return (await response.json()) as Summary;
  }

  async frame(number: number, kind: Kind, fields: string[]): Promise<Pack | null> {
    const response = await this.get(`/api/frame/${number}/${kind}?fields=${fields.map(encodeURIComponent).join(',')}`);
    return response && new Pack(await response.arrayBuffer());
  }

  async grain(number: number, id: number): Promise<Pack | null> {
    const response = await this.get(`/api/frame/${number}/grains?only=${id}`);
    return response && new Pack(await response.arrayBuffer());
  }

  async series(fromByte: number): Promise<string> {
    return (await (await this.get(`/api/series?from=${fromByte}`))?.text()) ?? '';
  }

  async scene(): Promise<string> {
    return (await (await this.get('/api/scene'))?.text()) ?? '';
  }

  async shape(name: string): Promise<ArrayBuffer | null> {
    return (await (await this.get(`/api/shape/${encodeURIComponent(name)}`))?.arrayBuffer()) ?? null;
  }
}

export function bytesOfBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; ++k) bytes[k] = binary.charCodeAt(k);
  return bytes.buffer;
}

export class PageSource implements Source {
  readonly live = false;
  private readonly about: Summary;
  private readonly sameWalls: Set<number>;

  constructor(private readonly page: ParentNode) {
    this.about = JSON.parse(this.text('run') ?? 'null') as Summary;
    this.sameWalls = new Set(this.about.same_walls ?? []);
  }

  static isIn(page: ParentNode): boolean {
    return page.querySelector('script[data-name="run"]') !== null;
  }

  private text(name: string): string | null {
    return this.page.querySelector(`script[data-name="${name}"]`)?.textContent ?? null;
  }

  private data(name: string): ArrayBuffer | null {
    const text = this.text(name);
    return text === null ? null : bytesOfBase64(text);
  }

  summary(from: number): Promise<Summary> {
    return Promise.resolve({ ...this.about, from, times: this.about.times.slice(from) });
  }

  frame(number: number, kind: Kind): Promise<Pack | null> {
    let holder = number; // walls that stood still are those of an earlier frame
    if (kind === 'walls') while (holder > 0 && this.sameWalls.has(holder)) --holder;
    const data = this.data(`${holder}/${kind}`);
    return Promise.resolve(data && new Pack(data));
  }

  grain(number: number): Promise<Pack | null> {
    return this.frame(number, 'grains'); // it has all its fields
  }

  series(fromByte: number): Promise<string> {
    const data = fromByte === 0 ? this.data('series') : null;
    return Promise.resolve(data ? new TextDecoder().decode(data) : '');
  }

  scene(): Promise<string> {
    const data = this.data('scene');
    return Promise.resolve(data ? new TextDecoder().decode(data) : '');
  }

  shape(name: string): Promise<ArrayBuffer | null> {
    return Promise.resolve(this.data(`shape/${CSS.escape(name)}`));
  }
}
