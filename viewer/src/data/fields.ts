// What grains can be colored by: the arrays of a frame, and a few values derived from them.
import type { AvailableField, Pack } from './pack';

export interface Field {
  key: string;
  label: string;
  unit: string;
  needs: string[]; // arrays of the frame of grains
  needsContacts: boolean;
  categories?: string; // the list of names that its numbers stand for; then colors are of a palette
  evaluate(grains: Pack, contacts: Pack | null, dimension: number): Float32Array;
}

const UNITS: Record<string, string> = { velocity: 'm/s', spin: '1/s', radius: 'm', force: 'N', overlap: 'm', pressure: 'Pa', cell_volume: 'm³', volume: 'm³' };
const HIDDEN = new Set(['orientation', 'scale']);
const CATEGORIES: Record<string, string> = { group: 'group_names', material: 'material_names', shape: 'shape_names' };

function magnitudes(values: ArrayLike<number>, components: number): Float32Array {
  const out = new Float32Array(values.length / components);
  for (let k = 0; k < out.length; ++k) {
    let sum = 0;
    for (let c = 0; c < components; ++c) sum += values[k * components + c]! ** 2;
    out[k] = Math.sqrt(sum);
  }
  return out;
}

function component(values: ArrayLike<number>, components: number, which: number, factor = 1): Float32Array {
  const out = new Float32Array(values.length / components);
  for (let k = 0; k < out.length; ++k) out[k] = factor * values[k * components + which]!;
  return out;
}

function volume(radius: number, dimension: number): number {
  return dimension === 2 ? Math.PI * radius * radius : (4 / 3) * Math.PI * radius ** 3;
}

// Row of each identity. Grains of a frame are sorted by id.
export function rowOfId(ids: ArrayLike<number>, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const here = ids[middle]!;
    if (here === id) return middle;
    if (here < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

// Mean normal stress of each grain by the virial of its contacts, (1 / (d V)) Σ r f_n with branch vectors of length r:
// exact for spheres whose overlaps are small against their radii.
export function pressure(grains: Pack, contacts: Pack | null, dimension: number): Float32Array {
  const ids = grains.array('id')!;
  const radii = grains.array('radius')!;
  const out = new Float32Array(ids.length);
  const force = contacts?.array('line_normal_force');
  const first = contacts?.array('line_a');
  const second = contacts?.array('line_b');
  if (!force || !first || !second) return out;
  const wall = contacts?.array('line_wall');
  for (let k = 0; k < force.length; ++k) {
    const a = rowOfId(ids, first[k]!);
    if (a >= 0) out[a] = out[a]! + radii[a]! * force[k]!;
    const b = wall && wall[k]! >= 0 ? -1 : rowOfId(ids, second[k]!);
    if (b >= 0) out[b] = out[b]! + radii[b]! * force[k]!;
  }
  for (let k = 0; k < out.length; ++k) out[k] = out[k]! / (dimension * volume(radii[k]!, dimension));
  return out;
}

// Of each grain: the direction to where fewer grains are, times how much fewer (0 to 1), and the solid fraction around it.
export interface Surroundings {
  density: Float32Array;
  open: Float32Array; // three numbers each
}

// Solid fraction around each grain, on a grid of cells three mean diameters wide (of balls of the same volume): every grain gives its volume to the
// corners around its center, and reads the mean of them. Near walls and free surfaces empty space counts too.
export function surroundings(grains: Pack, dimension: number): Surroundings {
  const at = grains.array('position')!;
  const radii = grains.array('radius')!;
  const volumes = grains.array('volume'); // of bodies that are not balls
  const n = radii.length;
  const out = new Float32Array(n);
  const open = new Float32Array(3 * n);
  if (n === 0) return { density: out, open };
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let mean = 0;
  for (let k = 0; k < n; ++k) {
    mean += (volumes ? (dimension === 2 ? Math.sqrt(volumes[k]! / Math.PI) : Math.cbrt((3 * volumes[k]!) / (4 * Math.PI))) : radii[k]!) / n;
    for (let c = 0; c < 3; ++c) {
      low[c] = Math.min(low[c]!, at[3 * k + c]!);
      high[c] = Math.max(high[c]!, at[3 * k + c]!);
    }
  }
  let step = 6 * mean;
  const sizes = () => [0, 1, 2].map((c) => (dimension === 2 && c === 2 ? 1 : Math.floor((high[c]! - low[c]!) / step) + 2));
  while (sizes().reduce((product, size) => product * size, 1) > 4e6) step *= 1.5; // far-flung grains
  const [nx, ny, nz] = sizes() as [number, number, number];
  const grid = new Float32Array(nx * ny * nz);
  const cell = step ** dimension;
  const corners = new Int32Array(8);
  const weights = new Float32Array(8);
  const part = new Float32Array(3); // of a cell, from its first corner
  const around = (k: number): number => {
    const place = [0, 1, 2].map((c) => (at[3 * k + c]! - low[c]!) / step);
    place.forEach((x, c) => (part[c] = x - Math.min(([nx, ny, nz][c] ?? 2) - 2, Math.floor(x))));
    const i = Math.min(nx - 2, Math.floor(place[0]!));
    const j = Math.min(ny - 2, Math.floor(place[1]!));
    const l = dimension === 2 ? 0 : Math.min(nz - 2, Math.floor(place[2]!));
    const count = dimension === 2 ? 4 : 8;
    for (let corner = 0; corner < count; ++corner) {
      const x = corner & 1;
      const y = (corner >> 1) & 1;
      const z = corner >> 2;
      const wz = dimension === 2 ? 1 : z ? place[2]! - l : 1 - (place[2]! - l);
      corners[corner] = i + x + nx * (j + y + ny * (l + z));
      weights[corner] = (x ? place[0]! - i : 1 - (place[0]! - i)) * (y ? place[1]! - j : 1 - (place[1]! - j)) * wz;
    }
    return count;
  };
  for (let k = 0; k < n; ++k) {
    const share = (volumes ? volumes[k]! : volume(radii[k]!, dimension)) / cell;
    for (let c = around(k) - 1; c >= 0; --c) grid[corners[c]!]! += share * weights[c]!;
  }
  for (let k = 0; k < n; ++k) {
    let sum = 0;
    const count = around(k);
    let [dx, dy, dz] = [0, 0, 0];
    for (let c = 0; c < count; ++c) {
      const here = grid[corners[c]!]!;
      sum += here * weights[c]!;
      // The slope along each axis, over one cell.
      const side = [c & 1, (c >> 1) & 1, c >> 2];
      const share = (axis: number) => (axis === 2 && dimension === 2 ? 1 : side[axis] ? part[axis]! : 1 - part[axis]!);
      dx += here * (side[0] ? 1 : -1) * share(1) * share(2);
      dy += here * (side[1] ? 1 : -1) * share(0) * share(2);
      if (dimension === 3) dz += here * (side[2] ? 1 : -1) * share(0) * share(1);
    }
    out[k] = sum;
    const slope = Math.hypot(dx, dy, dz);
    const strength = slope > 0 ? Math.min(1, slope / 0.3) / slope : 0;
    open[3 * k] = -dx * strength;
    open[3 * k + 1] = -dy * strength;
    open[3 * k + 2] = -dz * strength;
  }
  return { density: out, open };
}

export function localDensity(grains: Pack, dimension: number): Float32Array {
  return surroundings(grains, dimension).density;
}

// In the order in which they are offered.
export function fieldsOf(available: AvailableField[], dimension: number, contacts: boolean): Field[] {
  const has = (name: string) => available.some((field) => field.name === name);
  const fields: Field[] = [];
  const add = (key: string, label: string, unit: string, needs: string[], evaluate: Field['evaluate'], needsContacts = false) =>
    fields.push({ key, label, unit, needs, needsContacts, evaluate });
  if (has('velocity')) add('speed', 'Speed', 'm/s', ['velocity'], (g) => magnitudes(g.array('velocity')!, 3));
  add('size', 'Size (diameter)', 'm', [], (g) => component(g.array('radius')!, 1, 0, 2));
  const up = dimension === 2 ? 1 : 2;
  add('height', 'Height', 'm', [], (g) => component(g.array('position')!, 3, up));
  if (has('contacts')) add('coordination', 'Coordination', 'contacts', ['contacts'], (g) => component(g.array('contacts')!, 1, 0));
  if (contacts && !has('pressure')) add('pressure', 'Pressure', dimension === 2 ? 'N/m' : 'Pa', [], pressure, true);
  if (!has('local_density')) add('density', 'Local density', 'solid fraction', has('volume') ? ['volume'] : [], (g, _, d) => localDensity(g, d));
  for (const { name, components } of available) {
    if (HIDDEN.has(name) || name === 'contacts') continue;
    const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
    const unit = UNITS[name] ?? '';
    if (components === 1) {
      add(name, label, unit, [name], (g) => component(g.array(name)!, 1, 0));
      const categories = CATEGORIES[name];
      if (categories) fields[fields.length - 1]!.categories = categories;
    } else {
      if (name !== 'velocity') add(name, `${label} (magnitude)`, unit, [name], (g) => magnitudes(g.array(name)!, components));
      if (components === 3)
        ['x', 'y', 'z'].slice(0, dimension).forEach((axis, c) => add(`${name}.${axis}`, `${label} ${axis}`, unit, [name], (g) => component(g.array(name)!, 3, c)));
    }
  }
  const first = ['speed', 'size', 'group', 'height', 'coordination', 'pressure', 'density', 'local_density'];
  const rank = (field: Field) => (first.includes(field.key) ? first.indexOf(field.key) : first.length);
  return fields.map((field, k) => ({ field, k })).sort((a, b) => rank(a.field) - rank(b.field) || a.k - b.k).map(({ field }) => field);
}

// Least and largest finite value; null when there is none.
export function rangeOf(values: ArrayLike<number>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; ++k) {
    const value = values[k]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

// Lines and absolute forces of contacts for tubes. Bodies that touch at several points have a line for each, one after the other from
// center to center: they become one, with the sum of the forces.
export function chains(ends: Float32Array, forces: ArrayLike<number>): { ends: Float32Array; forces: Float32Array } {
  const outEnds = new Float32Array(ends.length);
  const outForces = new Float32Array(forces.length);
  let count = 0;
  for (let k = 0; k < forces.length; ++k) {
    let same = count > 0;
    for (let c = 0; same && c < 6; ++c) same = outEnds[6 * (count - 1) + c] === ends[6 * k + c];
    if (!same) outEnds.set(ends.subarray(6 * k, 6 * k + 6), 6 * count++);
    outForces[count - 1]! += Math.abs(forces[k]!);
  }
  return { ends: outEnds.subarray(0, 6 * count), forces: outForces.subarray(0, count) };
}
