// Headless Chromium by its DevTools protocol over a pipe; needs nothing but node.
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** The command of an installed Chromium, or null. */
export function find_chromium() {
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'])
    if (name && spawnSync(name, ['--version']).status === 0) return name;
  return null;
}

export class Browser {
  constructor(command) {
    this.profile = mkdtempSync(join(tmpdir(), 'stickslip-chromium-'));
    this.process = spawn(
      command,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--enable-unsafe-swiftshader',
        '--disable-dev-shm-usage',
        '--hide-scrollbars',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        `--user-data-dir=${this.profile}`,
        '--remote-debugging-pipe',
        'about:blank',
      ],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']},
    );
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (piece) => {
      rest = Buffer.concat([rest, piece]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
        this.receive(JSON.parse(rest.subarray(0, end).toString('utf8')));
    });
    this.process.on('exit', () => {
      for (const {refuse} of this.waiting.values()) refuse(new Error('Chromium ended'));
    });
  }

  receive(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const {answer, refuse} = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) refuse(new Error(`${message.error.message} ${message.error.data ?? ''}`));
    else answer(message.result);
  }

  call(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    return new Promise((answer, refuse) => this.waiting.set(id, {answer, refuse}));
  }

  /** A page of this size; it gathers console errors, exceptions and requests. */
  async open(url, {width = 1400, height = 900, dark = false, mobile = false} = {}) {
    const {targetId} = await this.call('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.call('Target.attachToTarget', {targetId, flatten: true});
    const page = new Page(this, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.call(`${domain}.enable`);
    await page.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile});
    await page.call('Emulation.setEmulatedMedia', {
      features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}],
    });
    const loaded = page.once('Page.loadEventFired');
    await page.call('Page.navigate', {url});
    await loaded;
    return page;
  }

  async close() {
    const ended = new Promise((answer) => this.process.once('exit', answer));
    this.call('Browser.close').catch(() => {});
    await Promise.race([ended, new Promise((answer) => setTimeout(answer, 5000))]);
    this.process.kill('SIGKILL');
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.complaints = [];
    this.requests = [];
    browser.listeners.push((message) => {
      if (message.sessionId !== session) return;
      const {method, params} = message;
      if (method === 'Runtime.exceptionThrown')
        this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
        this.complaints.push(
          `console.${params.type}: ${params.args.map((one) => one.value ?? one.description).join(' ')}`,
        );
      if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
        this.complaints.push(params.entry.text);
      if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    });
  }
  call(method, params) {
    return this.browser.call(method, params, this.session);
  }
  once(method) {
    return new Promise((answer) => {
      const listener = (message) => {
        if (message.sessionId !== this.session || message.method !== method) return;
        this.browser.listeners.splice(this.browser.listeners.indexOf(listener), 1);
        answer(message.params);
      };
      this.browser.listeners.push(listener);
    });
  }
  /** The value of an expression; a promise is awaited. */
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  /** Waits for two frames, so that everything that was asked for is drawn. */
  settle() {
    return this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
  }
  async mouse(type, x, y, extra = {}) {
    await this.call('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button: type === 'mouseMoved' ? 'none' : 'left',
      clickCount: type === 'mouseMoved' ? 0 : 1,
      ...extra,
    });
  }
  async click(x, y) {
    await this.mouse('mouseMoved', x, y);
    await this.mouse('mousePressed', x, y);
    await this.mouse('mouseReleased', x, y);
    await this.settle();
  }
  async press(key, code = key) {
    const codes = {Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, ' ': 32};
    const params = {
      key,
      code,
      windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0),
      ...(key === 'Enter' ? {text: '\r'} : key.length === 1 ? {text: key} : {}),
    };
    await this.call('Input.dispatchKeyEvent', {type: 'keyDown', ...params});
    await this.call('Input.dispatchKeyEvent', {type: 'keyUp', ...params});
    await this.settle();
  }
  /** Scrolls an element to the middle and returns its box in the window. */
  box(selector) {
    return this
      .evaluate(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({block: 'center', behavior: 'instant'});
      const b = e.getBoundingClientRect(); return {x: b.x, y: b.y, width: b.width, height: b.height}; })()`);
  }
  async screenshot(full = false) {
    const {data} = await this.call('Page.captureScreenshot', {
      format: 'png',
      captureBeyondViewport: full,
      ...(full ? {clip: {...(await this.size()), x: 0, y: 0, scale: 1}} : {}),
    });
    return Buffer.from(data, 'base64');
  }
  size() {
    return this.evaluate(
      '({width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight})',
    );
  }
}
