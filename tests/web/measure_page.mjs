// How fluid a page is, in headless Chromium:  node measure_page.mjs REPORT/index.html. Prints milliseconds, from
// the action to the second frame after it, and those of the processor, which other work on the machine does not change much. Asserts
// nothing.
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Browser, find_chromium} from './chromium.mjs';

const browser = new Browser(find_chromium());
try {
  const begin = performance.now();
  const page = await browser.open(pathToFileURL(resolve(process.argv[2])).href);
  await page.settle();
  console.log(`opened and drawn              ${(performance.now() - begin).toFixed(0)}`);
  await page.call('Performance.enable');
  const busy = async () =>
    1000 * (await page.call('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value;
  // Medians of seven.
  const measure = async (name, action, undo = action) => {
    const times = [];
    const work = [];
    for (let k = 0; k < 7; ++k) {
      const before = await busy();
      times.push(
        await page.evaluate(`(async () => { const t = performance.now(); ${k % 2 ? undo : action};
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); return performance.now() - t; })()`),
      );
      work.push((await busy()) - before);
    }
    const median = (values) => values.sort((a, b) => a - b)[3].toFixed(0);
    console.log(`${name.padEnd(30)}${median(times).padStart(4)}  processor ${median(work).padStart(4)}`);
  };
  const click = (selector) => `document.querySelector('${selector}').click()`;
  await measure('nothing (two frames)', '');
  await measure('switch a solver', click('.solvers li:nth-child(2) input'));
  await measure('switch a set', click('.sets li:nth-child(2) input'));
  await measure(
    'another cost',
    click('#profile-controls input[value="iterations"]'),
    click('#profile-controls input[value="time"]'),
  );
  await measure('light and dark', click('#theme'));
  await measure(
    'zoom the matrix',
    click('#matrix-controls [aria-label="zoom in"]'),
    click('#matrix-controls [aria-label="zoom out"]'),
  );
  await measure('scroll the matrix', 'document.querySelector("#matrix-scroll").scrollLeft += 300');
  const key = (name) =>
    `document.querySelector("#matrix-canvas").dispatchEvent(new KeyboardEvent("keydown", {key: "${name}", bubbles: true}))`;
  await measure('open a cell', key('Enter'));
  await measure('next cell, panel open', key('ArrowRight'));
  const box = await page.box('#profile-chart');
  const times = [];
  for (let k = 0; k < 40; ++k) {
    const start = performance.now();
    await page.mouse('mouseMoved', box.x + 100 + 15 * k, box.y + 100 + 5 * k);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${'pointer over the profiles'.padEnd(30)}${times[20].toFixed(0)}  (worst ${times[39].toFixed(0)})`);
  if (page.complaints.length) console.log(page.complaints);
} finally {
  await browser.close();
}
