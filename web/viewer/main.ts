// The viewer: a record of a simulation, or a contact problem, from the server or from the page itself.
import {by_id, element} from '../src/dom.ts';
import {read_choices, type Choices} from './choices.ts';
import {list_items, ServedProblem, ServedRun, type ProblemData, type RunSource} from './data.ts';
import {EmbeddedProblem, EmbeddedRun, type Embedded} from './embedded.ts';
import {has_trouble, tell_trouble} from './messages.ts';
import {ProblemView} from './problem_view.ts';
import {RunView} from './run_view.ts';
import type {View} from './eye.ts';

declare global {
  interface Window {
    stickslip: {
      view: RunView | ProblemView | null;
      readonly fps: number;
      readonly drawn: number;
      readonly held: number;
      readonly gpu: string;
    };
  }
}

let view: RunView | ProblemView | null = null;
window.stickslip = {
  get view() {
    return view;
  },
  get fps() {
    return view?.stage.fps ?? 0;
  },
  get drawn() {
    return view?.stage.drawn ?? 0;
  },
  get held() {
    return view instanceof RunView ? view.bodies.held() + view.contacts.held() : 0;
  },
  get gpu() {
    return view?.stage.gpu ?? '';
  },
};

const keys: [string, string][] = [
  ['Space', 'play or pause'],
  [', .', 'one frame back or on (also ← → outside the picture; with shift ten)'],
  ['Home End', 'first and last frame'],
  ['P A C', 'contact points, forces, force chains'],
  ['1 … 7', 'views: front, right, back, left, top, bottom, corner'],
  ['O', 'with or without perspective'],
  ['F', 'fly to what is chosen, or show everything'],
  ['[ ]', 'previous or next body'],
  ['Esc', 'choose nothing'],
  ['D M ?', 'dark mode, controls, this list'],
  ['in the picture: ← → ↑ ↓', 'turn; with shift move; + and − zoom'],
  ['mouse', 'drag turns, right button or shift moves, wheel zooms, click chooses'],
];

function build_help() {
  const dialog = by_id<HTMLDialogElement>('keys');
  const close = element('button', {type: 'button'}, 'Close');
  close.addEventListener('click', () => dialog.close());
  dialog.append(
    element('h2', {id: 'keys-title'}, 'Keys and mouse'),
    element(
      'dl',
      {class: 'facts'},
      ...keys.flatMap(([key, what]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, what)]),
    ),
    close,
  );
  by_id('help').addEventListener('click', () => dialog.showModal());
}

function listen(choices: Choices) {
  const theme = by_id('theme');
  const show_mode = () => {
    document.documentElement.dataset.mode = choices.mode;
    theme.setAttribute('aria-pressed', String(choices.mode === 'dark'));
  };
  const menu = by_id('menu');
  const toggle_side = (open = document.body.classList.contains('no-side')) => {
    document.body.classList.toggle('no-side', !open);
    menu.setAttribute('aria-expanded', String(open));
  };
  show_mode();
  theme.addEventListener('click', () => {
    choices.mode = choices.mode === 'dark' ? 'light' : 'dark';
    show_mode();
    view?.set_mode(choices.mode);
  });
  menu.addEventListener('click', () => toggle_side());
  if (matchMedia('(max-width: 760px)').matches) toggle_side(false);
  const run = (action: (one: RunView) => void) => () => {
    if (view instanceof RunView) action(view);
  };
  const ahead: View[] = ['front', 'right', 'back', 'left', 'top', 'bottom', 'corner'];
  const actions: Record<string, () => void> = {
    ' ': run((one) => one.transport.toggle()),
    ',': run((one) => one.transport.step(-1)),
    '.': run((one) => one.transport.step(1)),
    ArrowLeft: run((one) => one.transport.step(-1)),
    ArrowRight: run((one) => one.transport.step(1)),
    'Shift+ArrowLeft': run((one) => one.transport.step(-10)),
    'Shift+ArrowRight': run((one) => one.transport.step(10)),
    Home: run((one) => one.transport.go(0)),
    End: run((one) => one.transport.go(one.transport.records - 1)),
    p: run((one) => one.toggle('points')),
    a: run((one) => one.toggle('arrows')),
    c: run((one) => one.toggle('chains')),
    o: run((one) => one.toggle('ortho')),
    f: () => view?.fly(),
    '[': () => view?.next_body(-1),
    ']': () => view?.next_body(1),
    Escape: () => view?.clear_selection(),
    d: () => theme.click(),
    m: () => toggle_side(),
    '?': () => by_id('help').click(),
  };
  ahead.forEach((one, k) => (actions[String(k + 1)] = () => view?.stage.look(one)));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || by_id<HTMLDialogElement>('keys').open) return;
    const on = event.target as HTMLElement;
    const typing = on instanceof HTMLInputElement && on.type !== 'checkbox';
    const own = typing || on instanceof HTMLSelectElement || on.tagName === 'SUMMARY' || on.tagName === 'PRE';
    if (own && event.key !== 'Escape') return;
    // Space presses what has the focus.
    if (event.key === ' ' && (on instanceof HTMLButtonElement || on instanceof HTMLInputElement)) return;
    const word =
      event.shiftKey && event.key.startsWith('Arrow')
        ? `Shift+${event.key}`
        : event.key.length === 1
          ? event.key.toLowerCase()
          : event.key;
    const action = actions[word];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

async function show_run(source: RunSource, choices: Choices) {
  const info = await source.info();
  document.title = `${info.title || info.name} – stickslip`;
  by_id('title').textContent = `${info.title || info.name} · ${info.moving} bodies`;
  if (source.left_out) tell_trouble(`Of this record ${source.left_out}, so that the page stays small.`);
  view = new RunView(info, source, choices);
}

async function show_problem(source: ProblemData, choices: Choices) {
  const info = await source.info();
  document.title = `${info.title || info.name} – stickslip`;
  by_id('title').textContent = `${info.title || info.name} · ${info.contacts} contacts`;
  view = new ProblemView(info, source, choices);
}

/** A picture is taken when the page has loaded, and that waits for an image: the server answers it after `api/ready`. */
function hold_picture() {
  const image = element('img', {src: 'api/held', alt: ''});
  image.hidden = true;
  document.body.append(image);
  const look = (frames: number) =>
    requestAnimationFrame(() => {
      const done = document.documentElement.dataset.ready === 'true' || has_trouble();
      if (done && frames === 0) void fetch('api/ready');
      else look(done ? frames - 1 : 3);
    });
  look(3);
}

async function start() {
  const choices = read_choices(location.hash);
  document.body.classList.toggle('picture', choices.picture);
  build_help();
  listen(choices);
  const data = document.getElementById('data')?.textContent;
  if (data) {
    const embedded = JSON.parse(data) as Embedded;
    if (embedded.info.kind === 'record') await show_run(new EmbeddedRun(embedded), choices);
    else await show_problem(new EmbeddedProblem(embedded), choices);
    return;
  }
  if (choices.picture) hold_picture();
  const items = await list_items();
  const wanted = Number(/(?:^|[#&])item=(\d+)/.exec(location.hash)?.[1] ?? 0);
  const item = Math.min(wanted, items.length - 1);
  if (items.length > 1) {
    const list = by_id<HTMLSelectElement>('items');
    items.forEach(({name, kind}, k) =>
      list.append(element('option', {value: String(k)}, kind === 'problem' ? `${name} (problem)` : name)),
    );
    list.value = String(item);
    list.hidden = false;
    list.addEventListener('change', () => {
      location.hash = `item=${list.value}`;
      location.reload();
    });
  }
  if (items[item].kind === 'record') await show_run(new ServedRun(item), choices);
  else await show_problem(new ServedProblem(item), choices);
}

start().catch((error: Error) => tell_trouble(error.message));
