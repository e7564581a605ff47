// A cell of a notebook as the Python module makes it: node notebook.mjs CELL.html PICTURE.png. The viewer starts in its closed
// frame, without troubles and without asking anybody for anything, and shows what show() was told.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { launch } from './browser_harness.mjs';

const [cell, picture] = process.argv.slice(2);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  const troubles = [], requests = [];
  page.on('console', (message) => { if (message.type() === 'error') troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => { if (!/^(data|blob|about):/.test(request.url())) requests.push(request.url()); });
  await page.goto(pathToFileURL(cell).href);
  const frame = page.frames()[1];
  await frame.waitForSelector('html[data-ready=yes]', { state: 'attached', timeout: 60000 });
  const shown = await frame.evaluate(() => window.scree.linkNow());
  assert.equal(shown.color, 'speed');
  assert.equal(shown.chains, true);
  assert.deepEqual(troubles, []);
  assert.deepEqual(requests, [pathToFileURL(cell).href]);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
}
