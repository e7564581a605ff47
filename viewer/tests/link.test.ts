import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLink, writeLink } from '../src/data/link';
import { roundBelow, roundRange } from '../src/data/round';
import { lengthText } from '../src/ui/overlay';

test('a link says what is shown, and is read as it was written', () => {
  const link = { frame: 60, color: 'velocity.z', chains: true, walls: false, select: 7 };
  assert.deepEqual(readLink(writeLink(link)), link);
  assert.equal(writeLink({}), '');
  assert.equal(writeLink({ frame: 3, embed: true }), '#frame=3&embed');
});

test('a link by hand: switches without a value, time, words that mean nothing', () => {
  assert.deepEqual(readLink('#frame=60&color=group&play'), { frame: 60, color: 'group', play: true });
  assert.deepEqual(readLink('#time=0.5&play=0&plots=off'), { time: 0.5, play: false, plots: false });
  assert.deepEqual(readLink('#frame=abc&select=&nonsense=1&color='), {});
  assert.deepEqual(readLink(''), {});
});

test('ranges get round ends that hold all of it, and not much more', () => {
  assert.deepEqual(roundRange(0.00297, 0.00398), [0.0029, 0.004]);
  assert.deepEqual(roundRange(-0.013, 1.27), [-0.1, 1.3]);
  assert.deepEqual(roundRange(5, 5), [5, 5]);
  for (let k = 0; k < 2000; ++k) {
    const low = (Math.sin(k) * 10 ** (k % 7)) / 100;
    const high = low + Math.abs(Math.cos(3 * k)) * 10 ** ((k % 11) - 5) + 1e-9;
    const [from, to] = roundRange(low, high);
    const slack = 1e-11 * Math.max(Math.abs(low), Math.abs(high));
    assert.ok(from <= low + slack && to >= high - slack && to - from <= 1.21 * (high - low) + 2 * slack, `${low} ${high}: ${from} ${to}`);
  }
});

test('scale bars have round lengths in units that people use', () => {
  assert.equal(roundBelow(0.0374), 0.02);
  assert.deepEqual([0.02, 5e-4, 2, 1e-6, 2e-8, 5000].map(lengthText), ['20 mm', '500 µm', '2 m', '1 µm', '20 nm', '5 km']);
});
