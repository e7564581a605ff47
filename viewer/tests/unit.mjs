// Bundles the tests with esbuild, which comes with Vite, and runs them by Node's own runner: node tests/unit.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { build } = await import('esbuild').catch(() => {
  console.log('skipped: the packages of the viewer are not installed (npm install in viewer/)');
  process.exit(77);
});
const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'scree_unit_'));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
await build({ entryPoints: tests.map((name) => join(here, name)), bundle: true, platform: 'node', format: 'esm', outdir: out, outExtension: { '.js': '.mjs' }, logLevel: 'error' });
const result = spawnSync(process.execPath, ['--test', ...tests.map((name) => join(out, name.replace(/\.ts$/, '.mjs')))], { stdio: 'inherit' });
process.exit(result.status ?? 1);
