// Opens the report of a synthetic campaign in headless Chromium: the figures are drawn, the selection changes them, a cell of
// the matrix opens its panel, by mouse and by keyboard, and nothing complains or asks for anything outside the file.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Browser, find_chromium} from './chromium.mjs';

const {OUT: out, STICKSLIP: stickslip, MAKE_CAMPAIGN: make_campaign, MODULES: modules} = process.env;
if (!existsSync(join(modules, 'esbuild'))) {
  console.log('skipped: this build has no report page (npm failed when it was bundled)');
  process.exit(0);
}
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const campaign = join(out, 'campaign');
assert.equal(spawnSync(make_campaign, [campaign, '9', '40'], {stdio: 'inherit'}).status, 0);
const report = spawnSync(stickslip, ['campaign', 'report', campaign], {encoding: 'utf8'});
assert.equal(report.status, 0, report.stderr);
const page_file = join(campaign, 'report', 'index.html');
assert.equal(report.stdout.trim(), page_file);

// Bad input: one line, status 2.
const nowhere = spawnSync(stickslip, ['campaign', 'report', join(out, 'nowhere')], {encoding: 'utf8'});
assert.equal(nowhere.status, 2);
assert.match(nowhere.stderr, /^stickslip: .*nowhere: [^\n]+\n$/);

// Figures: two tolerances × (time and iterations, log and linear; time per contact) and the counts.
const figures = readdirSync(join(campaign, 'report', 'figures'));
const svg = figures.filter((name) => name.endsWith('.svg'));
assert.equal(svg.length, 11, figures.join(' '));
for (const name of svg) {
  const text = readFileSync(join(campaign, 'report', 'figures', name), 'utf8');
  assert.match(text, /^<svg /);
  assert.match(text, /NSGS-AC-GP/);
}
const pdf = figures.filter((name) => name.endsWith('.pdf'));
if (spawnSync('rsvg-convert', ['--version']).status === 0) {
  assert.equal(pdf.length, svg.length, report.stderr);
  for (const name of pdf) assert.ok(statSync(join(campaign, 'report', 'figures', name)).size > 1000);
} else assert.match(report.stderr, /left out: .*librsvg2-bin/);

const chromium = find_chromium();
if (!chromium) {
  console.log('skipped: no Chromium to open the page (package chromium); the files of the report are in order');
  process.exit(0);
}
const browser = new Browser(chromium);
try {
  const page = await browser.open(pathToFileURL(page_file).href);
  await page.settle();
  assert.equal(await page.evaluate('document.documentElement.dataset.ready'), 'true');
  assert.equal(await page.evaluate('document.querySelector("h1").textContent'), 'Synthetic study & <test>');

  // What a canvas shows: how many of its pixels are coloured, and a text that changes with any of them.
  const colours = (selector) =>
    page.evaluate(`(() => { const c = document.querySelector('${selector}'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
    let n = 0; for (let k = 0; k < d.length; k += 4) if (d[k + 3] > 0 && Math.max(d[k], d[k + 1], d[k + 2]) - Math.min(d[k], d[k + 1], d[k + 2]) > 60) ++n; return n; })()`);
  const picture = async (selector) =>
    createHash('sha256')
      .update(await page.evaluate(`document.querySelector('${selector}').toDataURL()`))
      .digest('hex');
  const profile = '#profile-chart canvas';
  assert.ok((await colours(profile)) > 2000, 'the profiles are drawn');
  assert.ok((await colours('#solved-chart canvas')) > 2000, 'the counts are drawn');
  assert.ok((await colours('#matrix-canvas')) > 20000, 'the matrix is drawn');
  const count = (selector) => page.evaluate(`document.querySelectorAll('${selector}').length`);
  assert.equal(await count('#profile-table tbody tr'), 9);
  assert.equal(await count('#set-table tbody tr'), 8);
  assert.equal(await count('#speed-table tbody tr'), 16);

  // The legend selects solvers.
  const before = await picture(profile);
  const entry = await page.box('.solvers li:nth-child(2) label');
  await page.click(entry.x + 60, entry.y + entry.height / 2);
  await page.mouse('mouseMoved', 5, 5);
  await page.settle();
  assert.equal(await count('#profile-table tbody tr'), 8);
  const without = await picture(profile);
  assert.notEqual(without, before, 'a solver less changes the profiles');
  await page.click(entry.x + 60, entry.y + entry.height / 2);
  await page.mouse('mouseMoved', 5, 5);
  await page.settle();
  assert.equal(await picture(profile), before, 'and back');

  // Sets, costs and scales.
  const note = () => page.evaluate('document.querySelector("#profile-note").textContent');
  assert.match(await note(), /^80 problems/);
  await page.evaluate(
    'document.querySelector("#list-tolerances").closest("section").querySelector("button.only").click()',
  );
  await page.settle();
  assert.match(await note(), /^40 problems/);
  await page.evaluate('document.querySelector("#list-sets").closest("section").querySelector("button.only").click()');
  await page.settle();
  assert.match(await note(), /^5 problems/);
  for (const title of ['tolerances', 'sets'])
    await page.evaluate(
      `document.querySelector("#list-${title}").closest("section").querySelector(".tools button").click()`,
    );
  await page.settle();
  assert.match(await note(), /^80 problems/);
  for (const value of ['iterations', 'time_per_contact', 'time', 'linear', 'absolute']) {
    const last = await picture(profile);
    await page.evaluate(`document.querySelector('#profile-controls input[value="${value}"]').click()`);
    await page.settle();
    assert.notEqual(await picture(profile), last, `${value} changes the profiles`);
  }
  await page.evaluate('document.querySelector(\'#profile-controls input[value="relative"]\').click()');
  await page.settle();

  // The reading at the pointer.
  const chart = await page.box('#profile-chart');
  await page.mouse('mouseMoved', chart.x + chart.width / 2, chart.y + chart.height / 2);
  await page.mouse('mouseMoved', chart.x + chart.width / 2 + 3, chart.y + chart.height / 2);
  await page.settle();
  assert.match(await page.evaluate('document.querySelector(".reading").textContent'), /τ = [\d.]+ρ\(τ\)/);
  assert.equal(await count('.reading .nearest'), 1);

  // The matrix: click, arrow keys, Escape.
  const hidden = () => page.evaluate('document.querySelector("#panel").hidden');
  assert.equal(await hidden(), true);
  const matrix = await page.box('#matrix-canvas');
  await page.click(matrix.x + matrix.width / 2, matrix.y + 38 + 3 * 20 + 10);
  assert.equal(await hidden(), false);
  assert.equal(await page.evaluate('document.querySelector("#panel-title").textContent'), 'PSOR-AC');
  assert.match(await page.evaluate('document.querySelector("#panel-facts").textContent'), /tolerance 10/);
  const problem = await page.evaluate('document.querySelector("#panel-problem").textContent');
  await page.press('ArrowDown');
  assert.equal(await page.evaluate('document.querySelector("#panel-title").textContent'), 'FP-DS');
  await page.press('ArrowRight');
  assert.notEqual(await page.evaluate('document.querySelector("#panel-problem").textContent'), problem);
  // Every third row has a history: one of the next cells shows it.
  let drawn = false;
  for (let k = 0; k < 6 && !drawn; ++k) {
    await page.press('ArrowUp');
    drawn = await page.evaluate('!document.querySelector("#panel-history").hidden');
  }
  assert.ok(drawn, 'a history is shown');
  assert.ok((await colours('#panel-chart canvas')) > 100, 'a history is drawn');
  await page.press('Escape');
  assert.equal(await hidden(), true);
  await page.press('Enter');
  assert.equal(await hidden(), false);
  await page.press('Escape');

  // Dark, by the button; no solver at all; paper.
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.evaluate('document.querySelector("#theme").click()');
  assert.notEqual(await ground(), light);
  await page.evaluate(
    'document.querySelector("#list-solvers").closest("section").querySelectorAll(".tools button")[1].click()',
  );
  await page.settle();
  await page.box('#profile-chart'); // views out of sight wait until they are near
  await page.settle();
  assert.match(await note(), /Choose a solver/);
  await page.evaluate(
    'document.querySelector("#list-solvers").closest("section").querySelectorAll(".tools button")[0].click()',
  );
  await page.settle();
  assert.ok((await page.call('Page.printToPDF', {printBackground: true, preferCSSPageSize: true})).data.length > 20000);

  // Every control can be reached by the keyboard and has a name.
  const nameless =
    await page.evaluate(`[...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter((e) => e.tabIndex >= 0 &&
    !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title)).map((e) => e.outerHTML)`);
  assert.deepEqual(nameless, []);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(
    page.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
    [],
  );

  // A narrow window does not scroll sideways.
  const narrow = await browser.open(pathToFileURL(page_file).href, {width: 400, height: 800, dark: true, mobile: true});
  await narrow.settle();
  assert.ok((await narrow.size()).width <= 400);
  assert.deepEqual(narrow.complaints, []);
} finally {
  await browser.close();
}
