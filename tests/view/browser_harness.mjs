// Chromium as its users start it, but without a window: pages of `scree view`, and what went wrong on them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const SCREE = process.env.SCREE ?? join(root, 'build', 'release', 'bin', 'scree');
export const ARTIFACTS = process.env.SCREE_ARTIFACTS ?? join(root, 'build', 'viewer-pictures');
export const SOURCE = root;
mkdirSync(ARTIFACTS, { recursive: true });

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!CHROMIUM) {
  console.log('skipped: no Chromium is installed; tools/install-packages test installs it');
  process.exit(77);
}
if (spawnSync(SCREE, ['view', '/'], { encoding: 'utf8' }).stderr.includes('without the viewer')) {
  console.log('skipped: this scree was built without the viewer, for want of node and npm');
  process.exit(77);
}
const require = createRequire(join(root, 'viewer', 'package.json'));
const { chromium } = require('playwright-core');

export function launch() {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
}

export function scree(...args) {
  const done = spawnSync(SCREE, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`scree ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

const running = new Set();

export async function endAll() {
  for (const end of running) await end();
}

export async function serve(run) {
  const process = spawn(SCREE, ['view', run, '--port', '0', '--no-browser'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const address = await new Promise((done, fail) => {
    let said = '';
    process.stdout.once('data', (data) => done(String(data).trim()));
    process.stderr.on('data', (data) => (said += data));
    process.once('exit', () => fail(new Error(`the server ended: ${said}`)));
  });
  process.removeAllListeners('exit');
  const ended = new Promise((done) => process.once('exit', done));
  const end = () => {
    running.delete(end);
    process.kill('SIGINT');
    return ended;
  };
  running.add(end);
  return { address, end };
}

// A page that collects whatever its console calls an error or a warning.
// The first frame, colored by speed, unless another link is given.
export async function open(browser, address, { width = 1000, height = 680, theme = 'dark', link = '#frame=0&color=speed', before = null } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true });
  const page = await context.newPage();
  const troubles = [];
  const requests = [];
  // Chromium tells of slow reading of pixels when it draws by software.
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  if (before) await page.addInitScript(before);
  await page.goto(address + link);
  await page.waitForSelector('html[data-ready=yes]', { timeout: 30000 });
  return { page, context, troubles, requests };
}

// The picture as it was drawn, without panels: its bytes and a count of pixels by a test.
export async function look(page) {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const stage = window.scree.stage;
    stage.drawSharp();
    const picture = stage.renderer.domElement;
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    const pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let hash = 0;
    let covered = 0;
    let red = 0;
    let blue = 0;
    let warm = 0;
    for (let k = 0; k < data.length; k += 4) {
      hash = (Math.imul(hash, 31) + data[k] + 256 * data[k + 1] + 65536 * data[k + 2]) | 0;
      if (Math.abs(data[k] - data[0]) + Math.abs(data[k + 1] - data[1]) + Math.abs(data[k + 2] - data[2]) > 24) ++covered;
      if (data[k] > data[k + 2] + 40) ++red;
      if (data[k + 2] > data[k] + 40) ++blue;
      if (data[k] > data[k + 1] + 40) ++warm;
    }
    return { hash, covered, red, blue, warm, pixels: data.length / 4 };
  });
}

export function picture(page, name) {
  return page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
}
