// What the page says to people: trouble above the picture, small news to screen readers.
import {by_id} from '../src/dom.ts';

export function tell_trouble(text: string) {
  const place = by_id('message');
  place.hidden = text === '';
  if (place.textContent !== text) place.textContent = text;
}

export function has_trouble(): boolean {
  return !by_id('message').hidden;
}

export function say(text: string) {
  by_id('live').textContent = text;
}
