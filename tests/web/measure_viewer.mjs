// How fluid the viewer is in headless Chromium with software rendering:  STICKSLIP=… node measure_viewer.mjs RUN.h5 [HASH [SECONDS]]. Prints the time
// until the first picture, pictures a second by the page's own counter while it plays, the processor time of a picture (which other programs on the
// machine do not change), and the memory of the page's process. Asserts nothing.
import {spawn} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {Browser, find_chromium} from './chromium.mjs';

const [record, hash = '', seconds = '10'] = process.argv.slice(2);
const server = spawn(process.env.STICKSLIP, ['view', record, '--no-open', '--quiet'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
const browser = new Browser(find_chromium());

/** Resident memory of renderer processes below the browser, in MB, largest first. */
function renderers() {
  const sizes = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!words.includes('--type=renderer') || !words.includes(browser.profile)) continue;
      sizes.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000);
    } catch {
      // It ended meanwhile.
    }
  }
  return sizes.sort((a, b) => b - a);
}

/** Seconds of the processor that the browser's processes of a kind have had. */
function processor_seconds(kind) {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!words.includes(`--type=${kind}`) || !words.includes(browser.profile)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks / 100;
}
const kinds = ['renderer', 'gpu-process'];

try {
  const begin = performance.now();
  const page = await browser.open(address + hash, {width: 1280, height: 800});
  while (!(await page.evaluate('document.documentElement.dataset.ready === "true"')))
    await new Promise((done) => setTimeout(done, 20));
  console.log(
    `first picture after ${(performance.now() - begin).toFixed(0)} ms, ${await page.evaluate('stickslip.gpu')}`,
  );
  await page.evaluate('stickslip.view.transport.toggle()');
  let largest = 0;
  const before = [...kinds.map(processor_seconds), await page.evaluate('stickslip.drawn')];
  for (let k = 0; k < Number(seconds); ++k) {
    await new Promise((done) => setTimeout(done, 1000));
    const [fps, frame, held] = await page.evaluate('[stickslip.fps, stickslip.view.transport.frame, stickslip.held]');
    largest = Math.max(largest, renderers()[0]);
    console.log(
      `${fps.toFixed(1)} pictures/s, frame ${frame}, cache ${(held / 1e6).toFixed(0)} MB, page ${renderers()[0]?.toFixed(0)} MB`,
    );
    if (!(await page.evaluate('stickslip.view.transport.playing')))
      await page.evaluate('stickslip.view.transport.toggle()');
  }
  const after = [...kinds.map(processor_seconds), await page.evaluate('stickslip.drawn')];
  const each = kinds.map(
    (kind, k) => `${((1000 * (after[k] - before[k])) / (after[2] - before[2])).toFixed(0)} ms in the ${kind}`,
  );
  console.log(`processor time of a picture: ${each.join(', ')}`);
  // From one place to another: what was seen must go.
  const records = await page.evaluate('stickslip.view.transport.records');
  await page.evaluate('stickslip.view.transport.pause()');
  for (let k = 0; k < 60; ++k) {
    await page.evaluate(`stickslip.view.transport.go(${Math.floor((records * ((k * 37) % 60)) / 60)})`);
    await new Promise((done) => setTimeout(done, 150));
    largest = Math.max(largest, renderers()[0]);
  }
  console.log(
    `largest memory of the page ${largest.toFixed(0)} MB, cache ${((await page.evaluate('stickslip.held')) / 1e6).toFixed(0)} MB`,
  );
  if (page.complaints.some((text) => !text.includes('GL Driver Message'))) console.log(page.complaints);
} finally {
  await browser.close();
  server.kill('SIGINT');
}
