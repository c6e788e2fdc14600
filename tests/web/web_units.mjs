// Checks the types of web/src and runs the unit tests (*.test.ts here) by node's own test runner.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const web = join(here, '..', '..', 'web');
const {MODULES: modules, OUT: out} = process.env;
if (!existsSync(join(modules, 'esbuild'))) {
  console.log('skipped: the npm packages are not installed (npm failed when the page was bundled)');
  process.exit(0);
}
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});

function run(...words) {
  const {status} = spawnSync(process.execPath, words, {stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}
run(join(modules, 'typescript', 'bin', 'tsc'), '-p', web, '--baseUrl', modules);
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
run(join(web, 'build.mjs'), modules, out, ...tests.map((name) => join(here, name)));
run('--test', ...tests.map((name) => join(out, name.replace(/\.ts$/, '.mjs'))));
