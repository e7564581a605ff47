import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorAt, colorTable, MAPS } from '../src/data/colormap';
import { chains, fieldsOf, localDensity, pressure, rangeOf, rowOfId } from '../src/data/fields';
import { FrameStore } from '../src/data/frames';
import { Lru } from '../src/data/lru';
import { Pack } from '../src/data/pack';
import { categoryColor, colorTable } from '../src/data/colormap';
import { Curves, Series } from '../src/data/series';
import type { Source } from '../src/data/source';
import { creases } from '../src/render/walls';
import { ticks } from '../src/ui/plot';
import { crc32 } from '../src/zip';
import { makePack } from './make_pack';

const near = (a: number, b: number, tolerance: number) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function grains(positions: number[], radii: number[], ids: number[]): Pack {
  const n = radii.length;
  return new Pack(makePack({}, [
    { name: 'position', count: n, components: 3, type: 'float32', coding: 'plain', values: Float32Array.from(positions) },
    { name: 'radius', count: n, type: 'float32', coding: 'plain', values: Float32Array.from(radii) },
    { name: 'id', count: n, type: 'uint32', coding: 'plain', values: Uint32Array.from(ids) },
  ]));
}

test('the cache keeps to its size and forgets what was used longest ago', () => {
  const cache = new Lru<number>(100);
  for (let k = 0; k < 5; ++k) cache.put(String(k), k, 30);
  assert.equal(cache.count, 3);
  assert.equal(cache.bytes, 90);
  assert.equal(cache.get('1'), undefined);
  assert.equal(cache.get('2'), 2); // now the newest
  cache.put('5', 5, 30);
  assert.equal(cache.get('2'), 2);
  assert.equal(cache.get('3'), undefined);
  cache.put('large', 6, 1000); // larger than all the room: kept alone
  assert.equal(cache.count, 1);
  cache.put('large', 7, 10);
  assert.equal(cache.bytes, 10);
});

test('memory stays bounded over a long run, and a frame under way is asked for once', async () => {
  let asked = 0;
  const source = { frame: () => { ++asked; return Promise.resolve(grains([0, 0, 0], [1], [0])); } } as unknown as Source;
  const store = new FrameStore(source, 20_000);
  await Promise.all([store.get(0, 'grains', []), store.get(0, 'grains', [])]);
  assert.equal(asked, 1);
  for (let k = 0; k < 1000; ++k) await store.get(k, 'grains', []);
  assert.ok(store.bytes <= 20_000);
  assert.ok(store.ready(999, 'grains', []));
  assert.equal(store.ready(1, 'grains', []), undefined);
});

test('a series read in pieces is the series read at once', () => {
  const text = 'time,größe\n' + Array.from({ length: 50 }, (_, k) => `${k / 10},${k * k}\n`).join('') + '5.0,';
  const whole = new Series();
  whole.add(text);
  const pieces = new Series();
  for (let k = 0; k < text.length; k += 7) pieces.add(text.slice(k, k + 7));
  for (const series of [whole, pieces]) {
    assert.deepEqual(series.names, ['time', 'größe']);
    assert.equal(series.length, 50);
    assert.equal(series.column('größe')[49], 2401);
    assert.equal(series.bytesRead, Buffer.byteLength(text));
    assert.equal(series.rowAt(1.26), 13);
    assert.equal(series.rowAt(-5), 0);
    assert.equal(series.rowAt(99), 49);
  }
});

test('measures are curves beside the series, each at its own times; tables with several rows at a time are none', () => {
  const curves = new Curves();
  curves.series.add('time,kinetic,wall.lid.z\n0,1,5\n1,2,6\n2,4,7\n');
  curves.measure('density').add('time,density,height\n0,0.5,1\n2,0.6,3\n');
  curves.measure('layers').add('time,z,density\n0,0,0.5\n0,1,0.6\n1,0,0.5\n1,1,0.6\n');
  assert.deepEqual(curves.names, ['kinetic', 'wall.lid.z', 'density.density', 'density.height']);
  assert.deepEqual(curves.times('density.height'), [0, 2]);
  assert.deepEqual(curves.values('density.height'), [1, 3]);
  assert.equal(curves.at('density.height', 1.9), 3);
  assert.equal(curves.at('wall.lid.z', 1.1), 6);
});

test('groups have their own colors where the scene gives them, and the palette otherwise', () => {
  assert.deepEqual(categoryColor(0, ['#ff0080']).map((x) => Math.round(255 * x)), [255, 0, 128]);
  assert.deepEqual(categoryColor(1, ['#ff0080', '']), categoryColor(1));
  assert.deepEqual(categoryColor(1, ['', 'url(x)']), categoryColor(1));
  const table = colorTable(['', '#102030']);
  assert.deepEqual([...table.slice(4, 8)], [16, 32, 48, 255]);
  assert.deepEqual([...table.slice(0, 3)], categoryColor(0).map((x) => Math.round(255 * x)));
});

test('a long series is thinned evenly', () => {
  const series = new Series();
  series.add('time,x\n');
  const rows = 300_000;
  for (let k = 0; k < rows; k += 1000) series.add(Array.from({ length: 1000 }, (_, j) => `${k + j},${2 * (k + j)}\n`).join(''));
  assert.ok(series.length < 1 << 17 && series.length > 1 << 15, `${series.length}`);
  const times = series.column('time');
  const step = times[1]! - times[0]!;
  times.forEach((time, k) => assert.equal(time, k * step));
});

test('pressure of a ball between two others is f r / V', () => {
  // Three balls in a row pressed by a force of 6 N: the middle one has two contacts.
  const pack = grains([0, 0, 0, 0, 0, 2, 0, 0, 4], [1, 1, 1], [5, 7, 9]);
  const contacts = new Pack(makePack({}, [
    { name: 'line_normal_force', count: 3, type: 'float32', coding: 'plain', values: Float32Array.of(6, 6, 3) },
    { name: 'line_a', count: 3, type: 'uint8', coding: 'plain', values: Uint8Array.of(5, 9, 5) },
    { name: 'line_b', count: 3, type: 'uint8', coding: 'plain', values: Uint8Array.of(7, 7, 5) },
    { name: 'line_wall', count: 3, type: 'int16', coding: 'plain', values: Int16Array.of(-1, -1, 0) },
  ]));
  const p = pressure(pack, contacts, 3);
  const volume = (4 / 3) * Math.PI;
  near(p[1]!, (2 * 6) / (3 * volume), 1e-6);
  near(p[0]!, (6 + 3) / (3 * volume), 1e-6); // the wall counts once
  near(p[2]!, 6 / (3 * volume), 1e-6);
  assert.deepEqual([...pressure(pack, null, 3)], [0, 0, 0]);
});

test('local density inside a cubic lattice is pi / 6, in the plane pi / 4', () => {
  const lattice = (n: number, dimension: number) => {
    const positions: number[] = [];
    for (let z = 0; z < (dimension === 2 ? 1 : n); ++z) for (let y = 0; y < n; ++y) for (let x = 0; x < n; ++x) positions.push(x, y, z);
    return positions;
  };
  for (const [dimension, n, exact] of [[3, 25, Math.PI / 6], [2, 61, Math.PI / 4]] as const) {
    const positions = lattice(n, dimension);
    const count = positions.length / 3;
    const density = localDensity(grains(positions, new Array<number>(count).fill(0.5), Array.from({ length: count }, (_, k) => k)), dimension);
    const half = (n - 1) / 2;
    const middle = half + n * (half + (dimension === 3 ? n * half : 0));
    near(density[middle]!, exact, 0.06 * exact);
  }
  assert.equal(localDensity(grains([], [], []), 3).length, 0);
});

test('fields offered: derived ones first, vectors by magnitude and component, categories by name', () => {
  const available = [['radius', 1], ['id', 1], ['group', 1], ['contacts', 1], ['velocity', 3], ['orientation', 4], ['cell_volume', 1]].map(([name, components]) => ({ name: name as string, components: components as number, whole: false }));
  const keys = fieldsOf(available, 3, true).map((field) => field.key);
  assert.deepEqual(keys.slice(0, 7), ['speed', 'size', 'group', 'height', 'coordination', 'pressure', 'density']);
  for (const key of ['velocity.x', 'velocity.z', 'id', 'cell_volume']) assert.ok(keys.includes(key), key);
  assert.ok(!keys.includes('orientation'));
  assert.ok(!fieldsOf(available, 2, true).map((field) => field.key).includes('velocity.z'));
  assert.ok(!fieldsOf(available, 3, false).map((field) => field.key).includes('pressure'));
});

test('rows by identity, and ranges without what is no number', () => {
  const ids = Uint32Array.of(1, 4, 9, 16);
  assert.deepEqual([1, 4, 9, 16, 0, 5, 17].map((id) => rowOfId(ids, id)), [0, 1, 2, 3, -1, -1, -1]);
  assert.deepEqual(rangeOf([NaN, 3, -1, Infinity]), [-1, 3]);
  assert.equal(rangeOf([NaN]), null);
});

// CIE lightness of an sRGB color: another measure than the one the maps are made by.
function lightness([r, g, b]: number[]): number {
  const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const y = 0.2126 * linear(r!) + 0.7152 * linear(g!) + 0.0722 * linear(b!);
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test('lightness of color maps rises evenly; that of the diverging one peaks in the middle', () => {
  for (const map of MAPS) {
    const steps = Array.from({ length: 33 }, (_, k) => lightness(colorAt(map, k / 32)));
    const rises = steps.slice(1).map((value, k) => value - steps[k]!);
    if (map === 'poles') assert.ok(steps[16]! > steps[0]! + 30 && steps[16]! > steps[32]! + 30);
    else for (const rise of rises) assert.ok(rise > 0.3 && rise < 4, `${map}: ${rises.map((x) => x.toFixed(2)).join(' ')}`);
  }
  assert.equal(colorTable('tide').length, 1024);
  assert.deepEqual(colorTable([]).slice(0, 4), colorTable([]).slice(40, 44));
});

test('ticks are round and within', () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  assert.deepEqual(ticks(3, 3, 5), [3]);
  for (const tick of ticks(-17.3, 912, 6)) assert.ok(tick >= -17.3 && tick <= 912 && tick % 200 === 0);
});

test('the creases of a cube are its twelve edges, without diagonals, though corners are repeated', () => {
  const corner = (k: number) => [k & 1, (k >> 1) & 1, k >> 2];
  const faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
  const points: number[] = [];
  const triangles: number[] = [];
  for (const [a, b, c, d] of faces) {
    const first = points.length / 3;
    points.push(...[a!, b!, c!, d!].flatMap(corner));
    triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  const found = creases(points, triangles);
  assert.equal(found.length / 6, 12);
  for (let k = 0; k < found.length; k += 6) near(Math.hypot(found[k]! - found[k + 3]!, found[k + 1]! - found[k + 4]!, found[k + 2]! - found[k + 5]!), 1, 1e-6);
});

test('each owner has the outline of its own cell, though cells share their sides', () => {
  // Two squares side by side, each of two triangles: 4 + 4 edges, no diagonals.
  const points = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0];
  assert.equal(creases(points, [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2], 0.9999, [7, 7, 9, 9]).length / 6, 8);
});

test('checksum of zip files', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
});

test('contacts of one pair of bodies at several points become one chain with the sum of forces', () => {
  const line = [0, 0, 0, 1, 0, 0];
  const other = [0, 0, 0, 1, 0, 1];
  const merged = chains(Float32Array.from([...line, ...line, ...other, ...line]), [1, -2, 4, 8]);
  assert.deepEqual([...merged.ends], [...line, ...other, ...line]);
  assert.deepEqual([...merged.forces], [3, 4, 8]);
  assert.equal(chains(new Float32Array(), []).forces.length, 0);
});

test('local density counts the volume of bodies where the frame tells it', () => {
  const at = new Float32Array(3 * 1000);
  for (let k = 0; k < 1000; ++k) at.set([k % 10, Math.floor(k / 10) % 10, Math.floor(k / 100)], 3 * k);
  const part = (name: string, values: Float32Array, components = 1) => ({ name, count: 1000, components, type: 'float32', coding: 'plain', values });
  const parts = [part('position', at, 3), part('radius', new Float32Array(1000).fill(0.5)), part('id', Float32Array.from({ length: 1000 }, (_, k) => k))];
  // The mean of those inside, for a grid of cells does not see every grain of a lattice alike.
  const inside = (density: Float32Array) => {
    const chosen = [...density].filter((_, k) => [k % 10, Math.floor(k / 10) % 10, Math.floor(k / 100)].every((place) => place >= 3 && place <= 6));
    return chosen.reduce((sum, value) => sum + value, 0) / chosen.length;
  };
  near(inside(localDensity(new Pack(makePack({}, parts)), 3)), Math.PI / 6, 0.05);
  // Needles in balls of radius 0.5.
  const thin = part('volume', new Float32Array(1000).fill((4 / 3) * Math.PI * 0.125 * 0.1));
  near(inside(localDensity(new Pack(makePack({}, [...parts, thin])), 3)), Math.PI / 60, 0.005);
});
