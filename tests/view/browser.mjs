// The viewer in a real browser. Pictures are kept in SCREE_ARTIFACTS, to be looked at.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ARTIFACTS, endAll, launch, look, open, picture, SCREE, scree, serve, SOURCE } from './browser_harness.mjs';
import { shapesRun } from './made_runs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'scree_browser_'));
const run = join(folder, 'hourglass');
const plane = join(folder, 'discs');
let browser;
let server;

before(async () => {
  scree('run', join(SOURCE, 'examples', 'hourglass.toml'), '-o', run, '-q', '--until', '0.24');
  scree('run', join(SOURCE, 'examples', 'shaken-discs.toml'), '-o', plane, '-q', '--until', '0.1');
  browser = await launch();
  server = await serve(run);
});

after(async () => {
  await browser?.close();
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

const state = (page, expression) => page.evaluate(`(() => { const app = window.scree; return ${expression}; })()`);
const frameIs = (page, frame) => page.waitForFunction((wanted) => window.scree.shown.frame === wanted, frame);

test('the page loads without a complaint, asks nobody else, and knows the frames', async () => {
  const { page, context, troubles, requests } = await open(browser, server.address);
  const record = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  assert.equal(await state(page, 'app.times.length'), record.frames);
  assert.match(await page.textContent('.time'), new RegExp(`frame 0 of ${record.frames - 1}`));
  assert.equal(await page.textContent('h1'), record.title);
  assert.equal(await state(page, 'app.shown.grains.count("id")'), 1283);
  const seen = await look(page);
  assert.ok(seen.covered > 0.05 * seen.pixels, JSON.stringify(seen));
  assert.ok(requests.every((url) => url.startsWith(server.address) || url.startsWith('blob:') || url.startsWith('data:')), requests.join());
  await picture(page, 'start');
  // Every control has a name for those who cannot see it.
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input')].filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).length);
  assert.equal(nameless, 0);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('scrubbing, stepping and playing change the picture', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  await state(page, 'app.colorBy("size")'); // the range of which stays, unlike that of speeds
  const first = await look(page);
  await page.locator('input[aria-label=Frame]').fill('8');
  await frameIs(page, 8);
  const later = await look(page);
  assert.notEqual(later.hash, first.hash);
  await page.keyboard.press('Escape');
  await page.locator('canvas').first().focus();
  await page.keyboard.press('ArrowLeft');
  await frameIs(page, 7);
  await page.keyboard.press('Home');
  await frameIs(page, 0);
  assert.equal((await look(page)).hash, first.hash);
  // Slowly: at the end it stops by itself, and a click that comes late would begin anew.
  await page.selectOption('select[aria-label="Speed of playing"]', '2');
  await page.click('button[aria-label=Play]');
  await page.waitForFunction(() => window.scree.shown.frame >= 3, null, { timeout: 15000 });
  await page.click('button[aria-label=Pause]');
  assert.equal(await state(page, 'app.playing'), false);
  await page.click('button[aria-label="Last frame"]');
  await page.waitForFunction(() => window.scree.shown.frame === window.scree.times.length - 1);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('coloring by every field that is offered, with its legend', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  await state(page, 'app.go(8)');
  const offered = await page.locator('select[aria-label="Color by"] option').evaluateAll((options) => options.map((option) => option.value));
  for (const key of ['speed', 'size', 'group', 'height', 'coordination', 'pressure', 'density', 'spin', 'velocity.z', 'id']) assert.ok(offered.includes(key), `${key} of ${offered}`);
  const hashes = new Map();
  for (const key of ['speed', 'size', 'group', 'height', 'coordination', 'pressure', 'density', 'velocity.z']) {
    await page.selectOption('select[aria-label="Color by"]', key);
    await page.waitForFunction((wanted) => window.scree.fieldKey === wanted && document.querySelector('.legends').textContent.length > 3, key);
    await page.waitForTimeout(100);
    hashes.set((await look(page)).hash, key);
  }
  assert.equal(hashes.size, 8, [...hashes.values()].join());
  await page.selectOption('select[aria-label="Color by"]', 'height');
  await page.waitForFunction(() => document.querySelector('.legend:not([hidden])').textContent.startsWith('Height (m)'));
  // The range is that of all frames, whichever were looked at, with round ends.
  const told = (await page.locator('.legend:not([hidden]) .ends span').allTextContents()).map(Number);
  let [low, high] = [Infinity, -Infinity];
  for (let frame = 0; frame < 13; ++frame) {
    await state(page, `app.go(${frame})`);
    const [least, most] = await state(page, '(() => { const at = app.shown.grains.array("position"); let low = 1e9, high = -1e9; for (let k = 2; k < at.length; k += 3) { low = Math.min(low, at[k]); high = Math.max(high, at[k]); } return [low, high]; })()');
    [low, high] = [Math.min(low, least), Math.max(high, most)];
  }
  assert.deepEqual((await page.locator('.legend:not([hidden]) .ends span').allTextContents()).map(Number), told);
  assert.ok(told[0] <= low && told[2] >= high && told[2] - told[0] < 1.25 * (high - low), `${told} ${low} ${high}`);
  assert.ok(told.every((value) => String(value).replace(/[-.0]/g, '').length <= 3), told.join());
  await state(page, 'app.go(8)');
  const before = await look(page);
  await page.fill('input[aria-label="Value at the last color"]', '0.01');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.legend:not([hidden]) .ends span:last-child').textContent === '0.01');
  assert.notEqual((await look(page)).hash, before.hash);
  await picture(page, 'height');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a click selects the grain under it; its state is that of the frame; it can be followed', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  await state(page, 'app.go(8)');
  await state(page, 'app.setWalls(false)');
  // The grain whose center is nearest to the eye is hidden by none: it must be the one that a click there selects.
  const target = await page.evaluate(() => {
    const { stage, shown } = window.scree;
    const at = shown.grains.array('position');
    const eye = stage.controls.object.position;
    let best = { distance: Infinity };
    for (let k = 0; 3 * k < at.length; ++k) {
      const point = eye.clone().fromArray(at, 3 * k);
      const distance = point.distanceTo(eye);
      if (distance < best.distance) best = { distance, id: shown.grains.array('id')[k], ...stage.onPage(point), at: point.toArray() };
    }
    return best;
  });
  await page.mouse.click(target.x, target.y);
  await page.waitForFunction((id) => document.querySelector('.selection p').textContent === `Grain ${id}`, target.id);
  const table = await page.textContent('.selection table');
  assert.ok(table.includes('sand'), `the material by its name: ${table}`);
  assert.ok(table.includes('velocity') && table.includes('spin') && table.includes('radius'), table);
  assert.ok(table.includes(String(Number(target.at[0].toPrecision(4)))) || Math.abs(target.at[0]) < 1e-3, `${table} ${target.at}`);
  await picture(page, 'selected');
  await page.keyboard.press('g');
  await state(page, 'app.go(11)');
  const { moved, aim } = await page.evaluate((id) => {
    const { stage, shown } = window.scree;
    const k = [...shown.grains.array('id')].indexOf(id);
    return { moved: [...shown.grains.array('position').slice(3 * k, 3 * k + 3)], aim: stage.controls.target.toArray() };
  }, target.id);
  assert.ok(Math.hypot(...moved.map((value, c) => value - target.at[c])) > 1e-4, 'it has moved');
  assert.ok(Math.hypot(...moved.map((value, c) => value - aim[c])) < 1e-6, `${moved} ${aim}`);
  await page.mouse.click(12, 60); // nothing is there
  await page.waitForFunction(() => window.scree.selectedId === null);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('clip plane, walls, force chains, views and projections', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  await state(page, 'app.go(11)');
  const whole = await look(page);
  await page.locator('summary', { hasText: 'Clip' }).click();
  await page.selectOption('select[aria-label="Clip plane"]', 'x');
  const cut = await look(page);
  assert.ok(cut.covered < 0.9 * whole.covered, `${cut.covered} of ${whole.covered}`);
  // Half of the grains, cut open: the sections fill what the cut has taken.
  await page.selectOption('select[aria-label="Clip plane"]', 'view');
  await state(page, 'app.setWalls(false)');
  await picture(page, 'clip');
  const facing = await look(page);
  await page.selectOption('select[aria-label="Clip plane"]', 'none');
  assert.notEqual((await look(page)).hash, facing.hash);
  const bare = await look(page);
  assert.ok(bare.covered < whole.covered);
  await state(page, 'app.setWalls(true)');
  assert.equal((await look(page)).hash, whole.hash);

  await page.keyboard.press('f');
  await page.waitForFunction(() => window.scree.shown.contacts !== null);
  const chains = await look(page);
  assert.notEqual(chains.hash, whole.hash);
  assert.ok(chains.warm > whole.warm + 100, `chains are of warm colors: ${chains.warm}, ${whole.warm}`);
  await picture(page, 'chains');
  await page.keyboard.press('f');
  await page.waitForFunction(() => !window.scree.chainsShown);
  const seen = new Set();
  for (const key of ['1', '2', '3', '4', '5', '6', 'o', '0']) {
    await page.keyboard.press(key);
    seen.add((await look(page)).hash);
  }
  assert.ok(seen.size >= 7);
  assert.equal(await state(page, 'app.stage.orthographic'), true);
  await page.keyboard.press('t');
  await picture(page, 'light');
  await page.keyboard.press('?');
  assert.ok(await page.locator('dialog').isVisible());
  await picture(page, 'help');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('pictures in a hurry are thin and coarse, and whole again at rest', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  const whole = await look(page);
  const thin = await page.evaluate(() => { const { stage } = window.scree; stage.walls.group.visible = false; stage.grains.thin(8); stage.draw(); return stage.grains.geometry.drawRange.count; });
  assert.equal(thin, 6 * Math.ceil(1283 / 8));
  // Whatever is drawn, a click finds all grains.
  const found = await page.evaluate(() => {
    const { stage, shown } = window.scree;
    const eye = stage.controls.object.position;
    const at = shown.grains.array('position');
    let best = { distance: Infinity };
    for (let k = 0; 3 * k < at.length; ++k) {
      const point = eye.clone().fromArray(at, 3 * k);
      if (point.distanceTo(eye) < best.distance) best = { k, distance: point.distanceTo(eye), ...stage.onPage(point) };
    }
    return [best.k, stage.pick(best.x, best.y)];
  });
  assert.equal(found[0], found[1]);
  await state(page, 'app.setWalls(true)');
  assert.equal((await look(page)).hash, whole.hash);
  // Turning for a while, whatever it does to the picture, ends in a sharp one.
  const box = await page.locator('canvas').first().boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  for (let k = 0; k < 12; ++k) await page.mouse.move(box.x + 300 + 10 * k, box.y + 200);
  await page.mouse.up();
  await page.waitForFunction(() => { const { stage } = window.scree; return stage.renderer.domElement.width === stage.renderer.domElement.clientWidth && stage.grains.geometry.drawRange.count === 6 * 1283; });
  assert.notEqual((await look(page)).hash, whole.hash);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('plots have a cursor at the frame, and a click there goes to its time', async () => {
  const { page, context, troubles } = await open(browser, server.address);
  await page.keyboard.press('p');
  assert.ok(await page.locator('.plot canvas').isVisible());
  await page.waitForFunction(() => document.querySelectorAll('.curves span').length === 2);
  await page.locator('.plot summary').click();
  const names = readFileSync(join(run, 'series.csv'), 'utf8').split('\n')[0].split(',');
  assert.deepEqual((await page.locator('.chooser label').allTextContents()).map((text) => text.trim()), names.slice(1));
  await page.locator('.chooser label', { hasText: /^\s*contacts$/ }).click();
  await page.locator('.plot summary').click();
  const box = await page.locator('.plot canvas').boundingBox();
  await page.mouse.click(box.x + 62 + 0.5 * (box.width - 90), box.y + 60);
  await frameIs(page, 6);
  const rows = readFileSync(join(run, 'series.csv'), 'utf8').trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
  const row = rows.reduce((best, cells) => (Math.abs(cells[0] - 0.12) < Math.abs(best[0] - 0.12) ? cells : best));
  assert.match(await page.textContent('.curves'), new RegExp(`contacts ${row[names.indexOf('contacts')]}`));
  await picture(page, 'plots');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('pictures and films are saved', async () => {
  const { page, context, troubles } = await open(browser, server.address, { width: 640, height: 480 });
  const save = async (press) => {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 30000 }), press()]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  const png = readFileSync(await save(() => page.keyboard.press('s')));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.length > 5000);
  writeFileSync(join(ARTIFACTS, 'saved.png'), png);
  await page.locator('input[aria-label=Frame]').fill('9');
  await frameIs(page, 9);
  const archive = await save(() => page.selectOption('select[aria-label=Save]', 'zip'));
  const listed = spawnSync('/usr/bin/python3', ['-c', 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(*z.namelist(), *[z.read(n)[1:4].decode() for n in z.namelist()])', archive], { encoding: 'utf8' });
  assert.equal(listed.stdout.trim(), 'frame_000009.png frame_000010.png frame_000011.png frame_000012.png PNG PNG PNG PNG', listed.stderr);
  await page.locator('input[aria-label=Frame]').fill('9');
  await frameIs(page, 9);
  const film = readFileSync(await save(() => page.selectOption('select[aria-label=Save]', 'webm')));
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'a WebM file begins with the mark of EBML');
  assert.ok(film.length > 2000);
  assert.deepEqual(troubles, []);
  await context.close();
});

test('a run in the plane shows discs, from straight ahead', async () => {
  const flat = await serve(plane);
  const { page, context, troubles } = await open(browser, flat.address);
  assert.equal(await state(page, 'app.stage.orthographic'), true);
  await page.selectOption('select[aria-label="Color by"]', 'group');
  await page.waitForFunction(() => document.querySelector('.legend:not([hidden])').textContent === 'Grouplargesmall');
  const seen = await look(page);
  assert.ok(seen.red > 300 && seen.blue > 3000, JSON.stringify(seen));
  const at = await page.evaluate(() => {
    const { stage, shown } = window.scree;
    return stage.onPage(stage.extent.center.clone().fromArray(shown.grains.array('position'), 0));
  });
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => window.scree.selectedId === 0);
  await picture(page, 'discs');
  await state(page, 'app.setChains(true)');
  await state(page, 'app.go(5)');
  await picture(page, 'discs-chains');
  assert.deepEqual(troubles, []);
  await context.close();
  await flat.end();
});

test('a run that is still running grows on the page, and its end is seen', async () => {
  const growing = join(folder, 'growing');
  const process = spawn(SCREE, ['run', join(SOURCE, 'examples', 'shaken-discs.toml'), '-o', growing, '-q', '--set', 'simulation.duration=1000', '--set', 'output.frames=0.005', '--threads', '1'], { stdio: 'ignore' });
  const ended = new Promise((done) => process.once('exit', done));
  try {
    for (let k = 0; k < 200; ++k) {
      await new Promise((done) => setTimeout(done, 100));
      try { if (readFileSync(join(growing, 'frames', 'run.pvd'), 'utf8').includes('grains_000002')) break; } catch { /* not yet */ }
    }
    const live = await serve(growing);
    const { page, context, troubles } = await open(browser, live.address, { link: '' });
    assert.equal(await page.textContent('.badge'), 'running');
    const before = await state(page, 'app.times.length');
    await page.waitForFunction((n) => window.scree.times.length >= n + 3 && window.scree.shown.frame > n, before, { timeout: 20000 });
    process.kill('SIGINT');
    await ended;
    await page.waitForFunction(() => document.querySelector('.badge').textContent === 'stopped', null, { timeout: 10000 });
    const record = JSON.parse(readFileSync(join(growing, 'run.json'), 'utf8'));
    await page.waitForFunction((n) => window.scree.times.length === n, record.frames, { timeout: 10000 });
    assert.deepEqual(troubles, []);
    await live.end();
    await page.waitForFunction(() => document.querySelector('.badge').textContent === 'server has ended', null, { timeout: 10000 });
    await context.close();
  } finally {
    process.kill('SIGKILL');
  }
});

test('the exported page opens from disk, without any request, and shows the same', async () => {
  const file = join(folder, 'page.html');
  const told = scree('view', run, '--export', file, '--every', '2');
  assert.match(told, new RegExp(`${(statSync(file).size / 1e6).toFixed(1)} MB, 7 of 13 frames`));
  const { page, context, troubles, requests } = await open(browser, `file://${file}`);
  assert.ok(requests.every((url) => url.startsWith('file://') || url.startsWith('blob:') || url.startsWith('data:')), requests.join());
  assert.equal(requests.filter((url) => url.startsWith('file:')).length, 1);
  assert.equal(await state(page, 'app.times.length'), 7);
  await page.evaluate(() => { document.querySelector('.caption').hidden = true; }); // which the served page does not have
  const first = await look(page);
  await page.click('button[aria-label="Last frame"]');
  await frameIs(page, 6);
  const last = await look(page);
  assert.notEqual(first.hash, last.hash);
  await page.keyboard.press('f');
  await page.waitForFunction(() => window.scree.shown.contacts !== null);
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.querySelectorAll('.curves span').length === 2);
  await picture(page, 'exported');
  assert.deepEqual(troubles, []);
  // As the server shows it: the same pixels are covered, but for the rounding of positions.
  await context.close();
  const served = await open(browser, server.address);
  await state(served.page, 'app.go(12)');
  const same = await look(served.page);
  assert.ok(Math.abs(same.covered - last.covered) < 0.002 * same.pixels, `${same.covered} ${last.covered}`);
  await served.context.close();
});

test('a page opens where there is something to see, and moves; links lead to what was shown; the scene can be had', async () => {
  const file = join(folder, 'shared.html');
  scree('view', run, '--export', file, '--caption', 'Sand & <glass>');
  const { page, context, troubles } = await open(browser, `file://${file}`, { link: '' });
  assert.equal(await page.textContent('.caption'), 'Sand & <glass>');
  assert.equal(await state(page, 'app.playing'), true);
  await state(page, 'app.pause()');
  // The frame it began with is in the middle of what happens: neither the first nor the last.
  const begins = await open(browser, `file://${file}`, { link: '#play=0' });
  const first = await state(begins.page, 'app.shown.frame');
  assert.ok(first > 1 && first < 12, String(first));
  await begins.page.waitForFunction(() => location.hash.includes('frame='));
  await state(begins.page, 'app.colorBy("height")');
  await state(begins.page, 'app.go(9)');
  await begins.page.waitForFunction(() => location.hash === '#frame=9&color=height');
  const link = await begins.page.evaluate(() => location.hash);
  const wanted = await look(begins.page);
  const [download] = await Promise.all([begins.page.waitForEvent('download'), begins.page.selectOption('select[aria-label=Save]', 'scene')]);
  assert.equal(readFileSync(await download.path(), 'utf8'), readFileSync(join(run, 'scene.toml'), 'utf8'));
  const linked = await open(browser, `file://${file}`, { link });
  assert.equal(await state(linked.page, 'app.playing'), false);
  assert.equal((await look(linked.page)).hash, wanted.hash);
  const embedded = await open(browser, `file://${file}`, { link: `${link}&embed`, width: 480, height: 360 });
  assert.equal(await embedded.page.locator('.top').isVisible(), false);
  assert.equal(await embedded.page.locator('.panel').isVisible(), false);
  assert.equal(await embedded.page.locator('input[aria-label=Frame]').isVisible(), true);
  await picture(embedded.page, 'embedded');
  for (const each of [begins, linked, embedded]) {
    assert.deepEqual(each.troubles, []);
    await each.context.close();
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test('several groups are told apart by color from the start', async () => {
  const flat = await serve(plane);
  const { page, context } = await open(browser, flat.address, { link: '' });
  assert.equal(await state(page, 'app.fieldKey'), 'group');
  await context.close();
  await flat.end();
});

test('on a phone everything is within reach', async () => {
  const { page, context, troubles } = await open(browser, server.address, { width: 400, height: 800 });
  const box = async (selector) => page.locator(selector).first().boundingBox();
  assert.ok((await box('input[aria-label=Frame]')).width > 300, 'the slider has the width of the screen');
  const title = await page.evaluate(() => { const h1 = document.querySelector('h1'); return [h1.clientWidth, h1.scrollWidth]; });
  assert.ok(title[0] > 150, `the title has room: ${title}`);
  const [legend, stage] = [await box('.legend:not([hidden])'), await box('.viewport')];
  assert.ok(legend.width * legend.height < 0.06 * stage.width * stage.height, 'the legend leaves the grains to be seen');
  assert.ok(stage.height > 500, `the picture has most of the screen: ${stage.height}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  await picture(page, 'phone');
  await page.click('button[aria-label=Settings]');
  assert.ok(await page.locator('.panel').isVisible());
  await picture(page, 'phone-settings');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('without WebGL the page says what is missing and what to do', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => { const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest); }; });
  await page.goto(server.address);
  assert.match(await page.textContent('[role=alert]'), /WebGL 2.*hardware acceleration/);
  await context.close();
});

test('grains of other shapes are drawn by their meshes, turned and scaled; triangulation and cells where there are any', async () => {
  const made = join(folder, 'bricks');
  shapesRun(made);
  const shapes = await serve(made);
  const { page, context, troubles } = await open(browser, shapes.address);
  await page.keyboard.press('5');
  // Grain 0 is turned to lie along y, grain 1 is twice as large and lies along x; seen from above.
  const at = (x, y) => page.evaluate(([u, v]) => { const { stage } = window.scree; return stage.onPage(stage.extent.center.clone().set(u, v, 0)); }, [x, y]);
  const picked = async (x, y) => { const place = await at(x, y); return page.evaluate(({ x: u, y: v }) => window.scree.stage.pick(u, v), place); };
  await look(page);
  assert.equal(await picked(0, 0.9), 0);
  assert.equal(await picked(0.6, 0), -1);
  assert.equal(await picked(5.8, 0.3), 1);
  assert.equal(await picked(4, 0.9), -1);
  assert.equal(await picked(0.6, 4.6), 2, 'a ball stays a ball');
  const bare = await look(page);
  for (const name of ['Triangulation', 'Laguerre cells']) {
    const before = await look(page);
    await page.locator('label', { hasText: name }).click();
    await page.waitForTimeout(200);
    assert.notEqual((await look(page)).hash, before.hash, name);
  }
  await picture(page, 'shapes');
  assert.ok((await look(page)).covered > bare.covered);
  const file = join(folder, 'bricks.html');
  scree('view', made, '--export', file);
  const page2 = await open(browser, `file://${file}`);
  await page2.page.evaluate(() => { document.querySelector('.caption').hidden = true; });
  await page2.page.keyboard.press('5');
  assert.ok(Math.abs((await look(page2.page)).covered - bare.covered) < 0.002 * bare.pixels);
  assert.deepEqual([...troubles, ...page2.troubles], []);
  await context.close();
  await page2.context.close();
  await shapes.end();
});

test('runs of rods and dice: true shapes, chains, structure, hidden ones stay hidden; also in the exported page', async () => {
  for (const [name, until, frame] of [['rods', '0.24', 12], ['dice', '0.2', 10]]) {
    const made = join(folder, name);
    scree('run', join(SOURCE, 'examples', `${name}.toml`), '-o', made, '-q', '--until', until, '--set', 'output.frames=0.02');
    scree('export', made, '--format', 'vtk', '--frames', '-1');
    const bodies = await serve(made);
    const { page, context, troubles } = await open(browser, bodies.address);
    // Balls around them would cover more; around dice, which stand in front of each other, by a tenth only.
    await state(page, 'app.go(1)');
    await state(page, 'app.setWalls(false)');
    const apart = await look(page);
    const balls = await page.evaluate(() => { const { stage, shown, meshes } = window.scree; for (const mesh of meshes.values()) mesh?.show(false); stage.grains.set(shown.grains.array('position'), shown.grains.array('radius'), new Float32Array(shown.grains.count('id'))); return 0; });
    const around = await look(page);
    assert.equal(balls, 0);
    assert.ok(apart.covered > 500 && apart.covered < 0.95 * around.covered, `${name}: ${apart.covered} of ${around.covered}`);
    await page.evaluate(() => { for (const mesh of window.scree.meshes.values()) mesh?.show(true); });
    await state(page, `app.go(${frame})`);
    const drawn = await look(page);
    for (const field of ['speed', 'coordination', 'pressure', 'density']) {
      await page.selectOption('select[aria-label="Color by"]', field);
      await page.waitForFunction((wanted) => window.scree.fieldKey === wanted, field);
    }
    // Counted by the balls around them it would be 18 times that.
    await page.waitForFunction(() => document.querySelector('.legends').textContent.startsWith('Local density') && !window.scree.showing);
    const most = Number(await page.locator('.legend:not([hidden]) .ends span').last().textContent());
    assert.ok(most > 0.05 && most < 0.6, `${name}: local density ${most}`);
    // Close to the grains: they fill the picture, and 0 brings everything back.
    const far = await look(page);
    await page.keyboard.press('z');
    assert.ok((await look(page)).covered > 1.5 * far.covered);
    await picture(page, `${name}-close`);
    await page.keyboard.press('0');
    assert.equal((await look(page)).hash, far.hash);
    await page.evaluate(() => { for (const mesh of window.scree.meshes.values()) mesh?.show(true); });
    await state(page, `app.go(${frame})`);
    await state(page, 'app.setWalls(true)');
    await picture(page, name);
    await page.keyboard.press('f');
    await page.waitForFunction(() => window.scree.shown.contacts !== null);
    // Every chain between grains ends in the center of one.
    const astray = await page.evaluate(() => {
      const { grains, contacts } = window.scree.shown;
      const at = grains.array('position');
      const ends = contacts.array('position');
      const wall = contacts.array('line_wall');
      const rows = new Map([...grains.array('id')].map((id, k) => [id, k]));
      const [a, b] = [contacts.array('line_a'), contacts.array('line_b')];
      let worst = 0;
      for (let k = 0; k < wall.length; ++k) {
        if (wall[k] >= 0) continue;
        for (let c = 0; c < 3; ++c) worst = Math.max(worst, Math.abs(ends[6 * k + c] - at[3 * rows.get(a[k]) + c]), Math.abs(ends[6 * k + 3 + c] - at[3 * rows.get(b[k]) + c]));
      }
      return [worst, wall.length];
    });
    assert.ok(astray[0] < 1e-6 && astray[1] > 50, astray.join());
    await picture(page, `${name}-chains`);
    await page.keyboard.press('f');
    for (const label of ['Triangulation', 'Laguerre cells']) await page.locator('label', { hasText: label }).click();
    await page.waitForTimeout(300);
    await picture(page, `${name}-structure`);
    for (const label of ['Triangulation', 'Laguerre cells']) await page.locator('label', { hasText: label }).click();
    await state(page, 'app.setWalls(false)');
    await page.locator('label', { hasText: /^\s*Grains$/ }).click();
    await state(page, 'app.go(3)');
    assert.ok((await look(page)).covered < 0.01 * drawn.covered, 'hidden grains stay hidden in the next frame');
    assert.deepEqual(troubles, []);
    await context.close();
    const file = join(folder, `${name}.html`);
    scree('view', made, '--export', file);
    const exported = await open(browser, `file://${file}`);
    await exported.page.evaluate(() => { document.querySelector('.caption').hidden = true; });
    await state(exported.page, `app.go(${frame})`);
    await state(exported.page, 'app.setWalls(false)');
    const same = await look(exported.page);
    assert.ok(Math.abs(same.covered - drawn.covered) < 0.005 * same.pixels, `${same.covered} ${drawn.covered}`);
    await picture(exported.page, `${name}-exported`);
    assert.deepEqual(exported.troubles, []);
    await exported.context.close();
    await bodies.end();
  }
});

test('a run by events: discs, their speeds and convection', async () => {
  const made = join(folder, 'events');
  scree('run', join(SOURCE, 'examples', 'shaken-box.toml'), '-o', made, '-q', '--until', '0.3', '--set', 'output.frames=0.05');
  const events = await serve(made);
  const { page, context, troubles } = await open(browser, events.address);
  await state(page, 'app.go(6)');
  const seen = await look(page);
  assert.ok(seen.covered > 0.02 * seen.pixels, JSON.stringify(seen));
  await page.keyboard.press('f'); // there are no contacts, and that is no trouble
  await page.waitForTimeout(200);
  assert.equal((await look(page)).covered, seen.covered, 'grains are not faded where there is nothing to see behind them');
  assert.match(await page.textContent('.message'), /no contacts/);
  assert.equal(await page.locator('.legend:not([hidden])').count(), 1, 'no legend of forces where there are none');
  await page.keyboard.press('p');
  await page.waitForFunction(() => document.querySelectorAll('.curves span').length === 2);
  await picture(page, 'events');
  assert.deepEqual(troubles, []);
  await context.close();
  await events.end();
});
