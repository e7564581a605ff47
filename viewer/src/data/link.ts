// What the address says of the view, so that a link leads to what somebody saw: page.html#frame=60&color=group&chains.
export interface Link {
  frame?: number;
  time?: number; // the frame nearest to it; `frame` goes first
  color?: string;
  map?: string;
  view?: string; // a standard view
  select?: number;
  chains?: boolean;
  walls?: boolean;
  plots?: boolean;
  play?: boolean;
  embed?: boolean; // the picture and its time alone
}

const NUMBERS = ['frame', 'time', 'select'] as const;
const SWITCHES = ['chains', 'walls', 'plots', 'play', 'embed'] as const;
const WORDS = ['color', 'map', 'view'] as const;

export function readLink(hash: string): Link {
  const link: Link = {};
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  for (const key of NUMBERS) {
    const text = given.get(key);
    if (text !== null && text.trim() !== '' && Number.isFinite(Number(text))) link[key] = Number(text);
  }
  for (const key of SWITCHES) {
    const text = given.get(key);
    if (text !== null) link[key] = !['0', 'no', 'off', 'false'].includes(text.toLowerCase());
  }
  for (const key of WORDS) {
    const text = given.get(key);
    if (text) link[key] = text;
  }
  return link;
}

export function writeLink(link: Link): string {
  const out: string[] = [];
  for (const key of [...NUMBERS, ...WORDS]) if (link[key] !== undefined) out.push(`${key}=${encodeURIComponent(String(link[key]))}`);
  for (const key of SWITCHES) if (link[key] !== undefined) out.push(link[key] ? key : `${key}=0`);
  return out.length > 0 ? `#${out.join('&')}` : '';
}
