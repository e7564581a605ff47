// Where a run comes from: the server of `scree view`, or elements of the page itself when it was exported.
import { Pack } from './pack';
import { contactsOf, follows, grainsOf, readStream, type StreamFrame } from './stream';

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
  measures: string[]; // tables of measures that the run has taken
  numbers?: number[]; // of an exported page: the frames of the run that it holds
  frames_of_run?: number;
  same_walls?: number[];
  share_of_grains?: number;
  contacts?: boolean;
  caption?: string;
  link?: string; // what is shown unless the address says
}

export interface Source {
  readonly live: boolean; // may grow
  summary(from: number): Promise<Summary>;
  // Null when the frame has nothing of that kind.
  frame(number: number, kind: Kind, fields: string[]): Promise<Pack | null>;
  // One grain with all its fields.
  grain(number: number, id: number): Promise<Pack | null>;
  // Text of series.csv, or of the table of a measure, from there on.
  series(fromByte: number, measure?: string): Promise<string>;
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

  async series(fromByte: number, measure?: string): Promise<string> {
    const path = measure === undefined ? 'series' : `measure/${encodeURIComponent(measure)}`;
    return (await (await this.get(`/api/${path}?from=${fromByte}`))?.text()) ?? '';
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

// What zlib has compressed.
async function inflated(data: ArrayBuffer): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === 'undefined') throw new Error('this browser is too old for the page: it cannot unpack compressed data (Chrome 80, Firefox 113, Safari 16.4 or newer can)');
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

export class PageSource implements Source {
  readonly live = false;
  private readonly about: Summary;
  private readonly sameWalls: Set<number>;
  // The frame read last of each stream: the next one is its change.
  private readonly last = new Map<string, { number: number; frame: StreamFrame }>();
  private turn: Promise<unknown> = Promise.resolve();

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

  private async data(name: string): Promise<ArrayBuffer | null> {
    const text = this.text(name);
    return text === null ? null : inflated(bytesOfBase64(text));
  }

  summary(from: number): Promise<Summary> {
    return Promise.resolve({ ...this.about, from, times: this.about.times.slice(from) });
  }

  // Reads on from the last frame, or from the nearest one before that stands by itself. One reader at a time.
  private stream(number: number, name: string): Promise<StreamFrame | null> {
    const read = async (): Promise<StreamFrame | null> => {
      const known = this.last.get(name);
      if (known?.number === number) return known.frame;
      const wanted: ArrayBuffer[] = [];
      let before: StreamFrame | null = null;
      for (let k = number; k >= 0; --k) {
        if (known?.number === k) {
          before = known.frame;
          break;
        }
        const data = await this.data(`${k}/${name}`);
        if (!data && k === number) return null;
        if (!data) continue;
        wanted.push(data);
        if (!follows(data)) break;
      }
      for (const data of wanted.reverse()) before = readStream(data, before);
      this.last.set(name, { number, frame: before! });
      return before;
    };
    const result = this.turn.then(read);
    this.turn = result.catch(() => null);
    return result;
  }

  async frame(number: number, kind: Kind): Promise<Pack | null> {
    if (kind === 'grains' || kind === 'contacts') {
      const grains = await this.stream(number, 'grains');
      if (!grains) return null;
      if (kind === 'grains') return grainsOf(grains);
      const contacts = await this.stream(number, 'contacts');
      return contacts && contactsOf(contacts, await this.stream(number, 'ends'), grainsOf(grains));
    }
    let holder = number; // walls that stood still are those of an earlier frame
    if (kind === 'walls') while (holder > 0 && this.sameWalls.has(holder)) --holder;
    const data = await this.data(`${holder}/${kind}`);
    return data && new Pack(data);
  }

  grain(number: number): Promise<Pack | null> {
    return this.frame(number, 'grains'); // it has all its fields
  }

  async series(fromByte: number, measure?: string): Promise<string> {
    const data = fromByte === 0 ? await this.data(measure === undefined ? 'series' : `measure/${CSS.escape(measure)}`) : null;
    return data ? new TextDecoder().decode(data) : '';
  }

  async scene(): Promise<string> {
    const data = await this.data('scene');
    return data ? new TextDecoder().decode(data) : '';
  }

  shape(name: string): Promise<ArrayBuffer | null> {
    return this.data(`shape/${CSS.escape(name)}`);
  }
}
