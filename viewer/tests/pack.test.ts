import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pack } from '../src/data/pack';
import { bytesOfBase64 } from '../src/data/source';
import { makePack } from './make_pack';

test('plain arrays of every type come back as they were', () => {
  const parts = [
    ['float32', Float32Array.of(1.5, -2.25, 3e-9, NaN)],
    ['float64', Float64Array.of(1e300, -1, 0, 2)],
    ['uint8', Uint8Array.of(0, 1, 254, 255)],
    ['uint16', Uint16Array.of(0, 1, 65534, 65535)],
    ['uint32', Uint32Array.of(0, 1, 2 ** 31, 2 ** 32 - 1)],
    ['int16', Int16Array.of(-32768, -1, 0, 32767)],
    ['int32', Int32Array.of(-(2 ** 31), -1, 0, 2 ** 31 - 1)],
  ] as const;
  const pack = new Pack(makePack({}, parts.map(([type, values]) => ({ name: type, count: 2, components: 2, type, coding: 'plain', values }))));
  for (const [type, values] of parts) {
    assert.deepEqual(pack.array(type), values);
    assert.equal(pack.components(type), 2);
    assert.equal(pack.count(type), 2);
  }
});

test('a constant is spread over all tuples, a count goes up from its first', () => {
  const pack = new Pack(makePack({}, [
    { name: 'velocity', count: 3, components: 2, type: 'float32', coding: 'constant', values: Float32Array.of(4, 5) },
    { name: 'id', count: 4, type: 'uint16', coding: 'counting', values: Uint16Array.of(65534) },
  ]));
  assert.deepEqual([...pack.array('velocity')!], [4, 5, 4, 5, 4, 5]);
  assert.deepEqual([...pack.array('id')!], [65534, 65535, 65536, 65537]);
});

test('steps run from the least to the largest value of each component', () => {
  const pack = new Pack(makePack({}, [
    { name: 'position', count: 3, components: 2, type: 'uint16', coding: 'steps', low: [-1, 10], high: [1, 10], values: Uint16Array.of(0, 0, 65535, 0, 13107, 0) },
  ]));
  const found = [...pack.array('position')!];
  [-1, 10, 1, 10, -0.6, 10].forEach((value, k) => assert.ok(Math.abs(found[k]! - value) < 1e-6, `${found}`));
});

test('names, time and an absent array', () => {
  const pack = new Pack(makePack({ time: 0.5, step: 7, names: { group_names: ['Körner', '<b>'] } }, []));
  assert.deepEqual(pack.names('group_names'), ['Körner', '<b>']);
  assert.deepEqual(pack.names('others'), []);
  assert.equal(pack.header.time, 0.5);
  assert.equal(pack.array('radius'), undefined);
});

test('damaged packs are refused, wherever they are cut', () => {
  const whole = makePack({}, [{ name: 'a', count: 4, type: 'float32', coding: 'plain', values: Float32Array.of(1, 2, 3, 4) }]);
  for (let length = 0; length < whole.byteLength; ++length) assert.throws(() => new Pack(whole.slice(0, length)), `${length} bytes`);
  new Pack(whole);
  assert.throws(() => new Pack(new ArrayBuffer(64)), /no pack/);
  assert.throws(() => new Pack(makePack({}, [], 2)), /version 2/);
  assert.throws(() => new Pack(makePack({}, [{ name: 'a', count: 1, type: 'complex', coding: 'plain', values: new Uint8Array(8) }])), /unknown type/);
  assert.throws(() => new Pack(makePack({}, [{ name: 'a', count: 1, type: 'uint8', coding: 'morse', values: new Uint8Array(8) }])).array('a'), /unknown coding/);
});

test('memory counts what is decoded beyond the bytes received', () => {
  const buffer = makePack({}, [{ name: 'a', count: 1000, components: 3, type: 'float32', coding: 'constant', values: Float32Array.of(1, 2, 3) }]);
  assert.equal(new Pack(buffer).bytes, buffer.byteLength + 12000);
});

test('base64 gives back all bytes', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, k) => k);
  assert.deepEqual(new Uint8Array(bytesOfBase64(Buffer.from(bytes).toString('base64'))), bytes);
});
