// What is shown, and how it is written in the address of the page: #chains&colour=speed&view=front&time=1.2
import type {BodyColour} from './body_values.ts';
import {body_colours} from './body_values.ts';
import type {ContactChoice} from './contact_layer.ts';
import type {View} from './eye.ts';
import {views} from './eye.ts';
import type {Mode} from './palette.ts';

export interface Choices {
  mode: Mode;
  colour: BodyColour;
  /** Of bodies, 0 … 1. */
  opacity: number;
  marked: boolean;
  grid: boolean;
  obstacles: boolean;
  contact: ContactChoice;
  section: {axis: 'x' | 'y' | 'z'; at: number; flip: boolean} | null;
  orthographic: boolean;
  view: View;
  /** s; −1: the last frame, NaN: the first one. */
  time: number;
  /** Only the picture, without controls. */
  picture: boolean;
  zoom: number;
  turn: number;
  play: boolean;
  hide: string[];
}

export function default_choices(): Choices {
  return {
    mode: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    colour: 'group',
    opacity: 1,
    marked: true,
    grid: true,
    obstacles: true,
    contact: {
      points: false,
      arrows: false,
      chains: false,
      linear: false,
      statuses: [true, true, true],
      least_force: 0,
      chain_threshold: 1,
      size: 1,
      chain_scale: false,
    },
    section: null,
    orthographic: false,
    view: 'corner',
    time: NaN,
    picture: false,
    zoom: 1,
    turn: 0,
    play: false,
    hide: [],
  };
}

/** Reads what stands after the #; words that are not known are left out. */
export function read_choices(hash: string): Choices {
  const choices = default_choices();
  const number = (text: string, fallback: number) => {
    const value = Number(text);
    return text !== '' && Number.isFinite(value) ? value : fallback;
  };
  let opacity: number | null = null;
  for (const pair of hash.replace(/^#/, '').split('&')) {
    const [word, value = ''] = pair.split('=');
    const {contact} = choices;
    if (word === 'dark' || word === 'light') choices.mode = word;
    else if (word === 'points' || word === 'contacts') contact.points = true;
    else if (word === 'forces' || word === 'arrows') contact.arrows = true;
    else if (word === 'chains') {
      contact.chains = true;
      contact.chain_threshold = number(value, 1);
    } else if (word === 'chain_scale') contact.chain_scale = true;
    else if (word === 'linear') contact.linear = true;
    else if (word === 'size') contact.size = number(value, 1);
    else if (word === 'force') contact.least_force = number(value, 0);
    else if (word === 'status')
      contact.statuses = [value.includes('open'), value.includes('stick'), value.includes('slip')];
    else if (word === 'colour' && value in body_colours) choices.colour = value as BodyColour;
    else if (word === 'opacity') opacity = number(value, 1);
    else if (word === 'plain') choices.marked = false;
    else if (word === 'no_grid') choices.grid = false;
    else if (word === 'no_obstacles') choices.obstacles = false;
    else if (word === 'ortho') choices.orthographic = true;
    else if (word === 'view' && value in views) choices.view = value as View;
    else if (word === 'zoom') choices.zoom = Math.max(0.05, number(value, 1));
    else if (word === 'turn') choices.turn = number(value, 0);
    else if (word === 'time') choices.time = number(value, NaN);
    else if (word === 'play') choices.play = true;
    else if (word === 'hide') choices.hide = decodeURIComponent(value).split(',');
    else if (word === 'section') {
      const [axis, at] = value.split(',');
      if (axis === 'x' || axis === 'y' || axis === 'z')
        choices.section = {axis, at: number(at ?? '', 0.5), flip: false};
    } else if (word === 'picture') choices.picture = true;
  }
  // What is between bodies is seen only through them.
  const {points, arrows, chains} = choices.contact;
  choices.opacity = opacity ?? (points || arrows || chains ? see_through : 1);
  return choices;
}

export const see_through = 0.3;
