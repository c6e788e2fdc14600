// `stickslip view` in headless Chromium: a run, with contacts, picking, keys and time; a problem; a campaign; an exported page; a picture. Nothing complains, and
// nothing is asked of anyone but the server.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Browser, find_chromium} from './chromium.mjs';

const {
  OUT: out,
  STICKSLIP: stickslip,
  MAKE_RECORD: make_record,
  MAKE_CAMPAIGN: make_campaign,
  MODULES: modules,
} = process.env;
if (!existsSync(join(modules, 'three'))) {
  console.log('skipped: this build has no viewer page (npm failed when it was bundled)');
  process.exit(0);
}
rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const run = (...words) => {
  const {status, stderr, stdout} = spawnSync(words[0], words.slice(1), {encoding: 'utf8'});
  assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
  return stdout;
};
const record = join(out, 'run.h5');
run(stickslip, 'simulate', 'kapla', '-o', record, '--steps', '40', '--every', '2', '--quiet');
const balls = join(out, 'balls.h5');
run(make_record, balls, '1000', '20');
run(stickslip, 'generate', 'spheres', '-o', join(out, 'problem'), '--size', '100');
const problem = join(out, 'problem', readdirSync(join(out, 'problem'))[0]);

// Bad input: one line, status 2.
const nowhere = spawnSync(stickslip, ['view', join(out, 'nowhere.h5')], {encoding: 'utf8'});
assert.equal(nowhere.status, 2);
assert.match(nowhere.stderr, /^stickslip: .*nowhere\.h5: [^\n]+\n$/);

// A page of its own.
const exported = join(out, 'exported.html');
run(stickslip, 'view', record, '--export', exported);
assert.ok(statSync(exported).size < 50e6);

const chromium = find_chromium();
if (!chromium) {
  console.log('skipped: no Chromium to open the page (package chromium); the exported page is in order');
  process.exit(0);
}

const servers = [];
async function serve(path) {
  const server = spawn(stickslip, ['view', path, '--no-open', '--quiet'], {stdio: ['ignore', 'pipe', 'inherit']});
  servers.push(server);
  const address = await new Promise((done) => server.stdout.once('data', (text) => done(String(text).trim())));
  return {server, address};
}
const browser = new Browser(chromium);
const quiet = (page) => page.complaints.filter((text) => !text.includes('GL Driver Message'));
async function until(page, condition, what) {
  for (let k = 0; k < 300; ++k) {
    if (await page.evaluate(condition)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`never came: ${what}; ${page.complaints.join('\n')}`);
}
const ready = (page) => until(page, 'document.documentElement.dataset.ready === "true"', 'the first picture');
/** How many pixels of the picture differ from its corner. */
const painted = async (page) =>
  page.evaluate(`(() => { const v = stickslip.view; v.stage.render(); const gl = v.stage.renderer.getContext();
    const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; const d = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, d);
    let n = 0; let colourful = 0; for (let k = 0; k < d.length; k += 4) {
      const [low, high] = [Math.min(d[k], d[k + 1], d[k + 2]), Math.max(d[k], d[k + 1], d[k + 2])];
      if (high - low > 40) ++colourful; if (Math.abs(d[k] - d[0]) > 12) ++n; }
    return {share: n / (w * h), colourful: colourful / (w * h)}; })()`);

try {
  const {server, address} = await serve(record);
  const page = await browser.open(address, {width: 1200, height: 800});
  await ready(page);
  assert.match(await page.evaluate('document.querySelector("h1").textContent'), /\d+ bodies/);
  assert.ok((await painted(page)).colourful > 0.01, 'bodies are drawn');
  const value = (expression) => page.evaluate(expression);

  // Time by keys.
  assert.equal(await value('stickslip.view.transport.frame'), 0);
  await page.press('.');
  await page.press('ArrowRight');
  assert.equal(await value('stickslip.view.transport.frame'), 2);
  await page.press('End');
  assert.equal(await value('stickslip.view.transport.frame'), 20);
  await page.press(',');
  assert.equal(await value('stickslip.view.transport.frame'), 19);
  await page.press('Home');
  await page.press(' ');
  await until(page, 'stickslip.view.transport.frame > 3', 'playing goes on');
  assert.ok((await value('stickslip.fps')) > 0);
  await page.press(' ');
  assert.equal(await value('stickslip.view.transport.playing'), false);
  await page.press('End');

  // Contacts, forces and chains; bodies let through.
  for (const key of ['p', 'a', 'c']) await page.press(key);
  await until(page, 'stickslip.view.contact_layer.shown > 0', 'contacts are shown');
  assert.match(
    await value('document.querySelector("#legend").textContent'),
    /open \d+stick \d+slip \d+force, length ∝ √force/,
  );
  assert.equal(await value('stickslip.view.choices.opacity'), 0.3);
  for (const key of ['p', 'a', 'c']) await page.press(key);
  assert.equal(await value('stickslip.view.choices.opacity'), 1);

  // Picking: every body is found where it is seen; its panel has values with units and a history.
  const box = await page.box('#canvas');
  const hit =
    await value(`(() => { const v = stickslip.view; const c = v.stage.canvas; for (let y = 10; y < c.clientHeight; y += 12) for (let x = 10; x < c.clientWidth; x += 12)
      { const l = v.stage.pick(x, y); if (l > 0 && l <= v.info.moving) return {x, y, l}; } return null; })()`);
  assert.ok(hit, 'a body can be picked');
  await page.click(box.x + hit.x, box.y + hit.y);
  assert.equal(await value('document.querySelector("#panel").hidden'), false);
  assert.equal(
    await value('document.querySelector("#panel-title").textContent'),
    await value(`stickslip.view.info.bodies.name[${hit.l - 1}]`),
  );
  await until(
    page,
    '/ m\\/s/.test(document.querySelector("#panel-facts").textContent) && !document.querySelector("#panel-plot").hidden',
    'values',
  );
  await page.press('Escape');
  assert.equal(await value('document.querySelector("#panel").hidden'), true);
  await page.press(']');
  assert.equal(await value('stickslip.view.selection.chosen.body'), 0);
  await page.press('f');
  await page.press('Escape');
  // A contact too.
  await page.press('p');
  await until(page, 'stickslip.view.contact_layer.shown > 0', 'contacts again');
  await value('stickslip.view.picked(stickslip.view.layer.count + 1)');
  await until(page, '/cone usage/.test(document.querySelector("#panel-facts").textContent)', 'values of a contact');
  await page.press('Escape');

  // Views, projection, section, colours, dark: every one gives a picture.
  for (const key of ['1', '5', '7', 'o', 'd']) {
    await page.press(key);
    await page.settle();
    assert.ok((await painted(page)).share > 0.01, `a picture after ${key}`);
  }
  for (const [select, choice] of [
    ['section', 'x'],
    ['colour', 'speed'],
    ['colour', 'pressure'],
    ['colour', 'kinetic'],
  ]) {
    await value(
      `(() => { const s = document.querySelector('select[aria-label="${select}"]'); s.value = '${choice}'; s.dispatchEvent(new Event('change')); })()`,
    );
    await page.settle();
  }
  assert.match(await value('document.querySelector("#legend").textContent'), /kinetic energy, J/);

  // Every control can be reached by the keyboard and has a name.
  const nameless =
    await value(`[...document.querySelectorAll('button, input, select, canvas[tabindex]')].filter((e) => e.tabIndex >= 0 &&
    !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title)).map((e) => e.outerHTML)`);
  assert.deepEqual(nameless, []);
  assert.deepEqual(quiet(page), []);
  assert.deepEqual(
    page.requests.filter((url) => !url.startsWith(address) && !url.startsWith('data:')),
    [],
  );

  // The record is deleted: a message.
  rmSync(record);
  await until(
    page,
    '/there is no such record/.test(document.querySelector("#message").textContent)',
    'a message about the record',
  );
  server.kill('SIGINT');
  assert.equal(await new Promise((done) => server.once('exit', done)), 130);
  await until(
    page,
    '/does not answer/.test(document.querySelector("#message").textContent)',
    'a message about the server',
  );

  // Many balls: each kind of shape is one draw call, the cache is bounded, and a narrow dark window does not scroll sideways.
  const many = await serve(balls);
  const narrow = await browser.open(`${many.address}#chains&time=-1`, {
    width: 390,
    height: 780,
    dark: true,
    mobile: true,
  });
  await ready(narrow);
  assert.ok((await narrow.evaluate('stickslip.view.stage.calls')) < 12);
  assert.ok((await narrow.size()).width <= 390);
  assert.ok((await painted(narrow)).share > 0.02);
  assert.deepEqual(quiet(narrow), []);

  // A problem.
  const graph = await serve(problem);
  const nodes = await browser.open(graph.address, {width: 1000, height: 700});
  await ready(nodes);
  assert.match(await nodes.evaluate('document.querySelector("#solve").textContent'), /converged/);
  assert.ok((await painted(nodes)).share > 0.01);
  await nodes.press(']');
  assert.match(await nodes.evaluate('document.querySelector("#panel-facts").textContent'), /couplings/);
  assert.deepEqual(quiet(nodes), []);

  // Shapes of a scene that has no text, moving as told.
  const code = join(out, 'code.h5');
  run(make_record, code, '8', '3');
  const built = await serve(code);
  const shapes = await browser.open(built.address, {width: 800, height: 600});
  await ready(shapes);
  assert.equal(await shapes.evaluate('stickslip.view.info.parts.sphere.body.length'), 8);
  assert.equal(await shapes.evaluate('stickslip.view.info.scene'), '');

  // A campaign: its report, made anew at every visit; other addresses are refused.
  const campaign = join(out, 'campaign');
  run(make_campaign, campaign, '3', '4');
  const report = await serve(campaign);
  const rows = await browser.open(report.address, {width: 1000, height: 700});
  assert.match(await rows.evaluate('document.body.textContent'), /[Pp]erformance profiles/);
  assert.deepEqual(quiet(rows), []);
  for (const path of ['campaign.sqlite', '../campaign.sqlite', 'pictures/../campaign.sqlite', 'pictures/99.svg'])
    assert.equal((await fetch(report.address + path)).status, 404, path);

  // The exported page, without any server.
  const alone = await browser.open(pathToFileURL(exported).href, {width: 1000, height: 700});
  await ready(alone);
  await alone.press('End');
  await until(alone, 'stickslip.view.shown === 20', 'the last frame');
  await alone.press('c');
  await until(alone, 'stickslip.view.contact_layer.shown > 0', 'chains');
  assert.deepEqual(quiet(alone), []);
  assert.deepEqual(
    alone.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
    [],
  );
} finally {
  await browser.close();
  for (const server of servers) server.kill('SIGKILL');
}

// A picture without a window.
const png = join(out, 'picture.png');
run(stickslip, 'view', balls, '--png', png, '--time', '0.1', '--size', '640x400', '--show', 'colour=speed&view=front');
const bytes = readFileSync(png);
assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 400]);
assert.ok(bytes.length > 10000, 'the picture shows something');
