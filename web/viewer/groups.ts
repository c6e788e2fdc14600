// Groups of bodies that can be hidden and that share a colour: by material where there are several, otherwise by the stem of the name
// (brick[0,0,1] belongs to brick).
import type {RecordInfo} from './data.ts';

export interface Groups {
  names: string[];
  /** The group of each body. */
  of: Uint16Array;
  sizes: number[];
}

const most = 24;

function stem(name: string): string {
  return name.replace(/[[\d].*$/, '').replace(/[_\-. ]+$/, '') || name;
}

export function group_bodies(info: RecordInfo): Groups {
  const {name, kind, material} = info.bodies;
  const moving = material.slice(0, info.moving);
  const by_material = new Set(moving.filter((one) => one !== '')).size > 1;
  const word = (body: number) => {
    if (body >= info.moving) return `${kind[body]}: ${stem(name[body])}`;
    return by_material ? material[body] || stem(name[body]) : stem(name[body]);
  };
  const places = new Map<string, number>();
  const groups: Groups = {names: [], of: new Uint16Array(name.length), sizes: []};
  for (let body = 0; body < name.length; ++body) {
    let text = word(body);
    if (!places.has(text) && groups.names.length >= most) text = 'others';
    let at = places.get(text);
    if (at === undefined) {
      at = groups.names.length;
      places.set(text, at);
      groups.names.push(text);
      groups.sizes.push(0);
    }
    groups.of[body] = at;
    ++groups.sizes[at];
  }
  return groups;
}
