// How fast pictures follow each other while the view turns: node tests/view/speed.mjs [GRAINS...]
// By software rendering, as everything here; on a graphics card the same page is limited by other things.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, launch, open, picture, serve } from './browser_harness.mjs';
import { bedRun } from './made_runs.mjs';

// Processor time of everything this program has started, in milliseconds: other load on the machine does not count.
function processorTime() {
  const parents = new Map();
  const times = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      parents.set(Number(name), Number(fields[1]));
      times.set(Number(name), 10 * (Number(fields[11]) + Number(fields[12])));
    } catch { /* it has just ended */ }
  }
  const ours = (id) => id === process.pid || (parents.has(id) && parents.get(id) > 1 && ours(parents.get(id)));
  let sum = 0;
  for (const [id, time] of times) if (id !== process.pid && ours(id)) sum += time;
  return sum;
}

const counts = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'scree_speed_'));
const browser = await launch();
console.log('grains,pack_bytes_per_grain,pixels,milliseconds_per_picture,milliseconds_per_coarse_picture,milliseconds_to_next_frame,milliseconds_to_pick');
for (const grains of counts.length ? counts : [10_000, 100_000, 1_000_000]) {
  const run = join(folder, String(grains));
  bedRun(run, grains, 3);
  const server = await serve(run);
  const { page, context } = await open(browser, server.address, { width: 1000, height: 680 });
  // Reading a pixel waits until the picture is done.
  await page.evaluate(() => {
    const { stage } = window.scree;
    const gl = stage.renderer.getContext();
    window.turn = (times, coarse) => {
      for (let k = 0; k < times; ++k) {
        if (coarse) {
          stage.renderer.setPixelRatio(0.35); // as coarse as it gets while things move
          stage.renderer.setSize(stage.renderer.domElement.clientWidth, stage.renderer.domElement.clientHeight);
        }
        stage.controls.object.position.applyAxisAngle(stage.controls.object.up, 0.05);
        stage.controls.update();
        if (coarse) stage.draw();
        else stage.drawSharp();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      }
      return stage.renderer.domElement.width * stage.renderer.domElement.height;
    };
  });
  const cost = async (times, script, argument) => {
    const before = processorTime();
    await page.evaluate(script, argument);
    return (processorTime() - before) / times;
  };
  const pixels = await page.evaluate(() => window.turn(1, false));
  const sharp = await cost(5, () => window.turn(5, false));
  const coarse = await cost(5, () => window.turn(5, true));
  const next = await cost(1, () => window.scree.go(1));
  const pick = await cost(2, () => { window.scree.stage.pick(400, 350); window.scree.stage.pick(300, 350); });
  const bytes = await page.evaluate(() => window.scree.shown.grains.buffer.byteLength);
  console.log([grains, (bytes / grains).toFixed(1), pixels, ...[sharp, coarse, next, pick].map((value) => value.toFixed(0))].join());
  await picture(page, `bed-${grains}`);
  await context.close();
  await server.end();
  rmSync(run, { recursive: true });
}
await browser.close();
await endAll();
rmSync(folder, { recursive: true, force: true });
