// Three problems, two solvers, one tolerance; the second solver fails on the second problem and was not run on the third.
import type {Campaign} from '../../web/src/data.ts';

export function small_campaign(): Campaign {
  const none = (count: number) => new Array<null>(count).fill(null);
  return {
    format: 1,
    title: 'small',
    facts: [],
    plan: '',
    warnings: [],
    solvers: {label: ['A', 'B'], family: ['', ''], given: ['A', 'B'], composition: ['a', 'b']},
    sets: ['set'],
    tolerances: [1e-4],
    statuses: ['converged', 'time_limit'],
    limits: [10],
    texts: [''],
    problems: {
      name: ['p0', 'p1', 'p2'],
      set: [0, 0, 0],
      contacts: [10, 20, 30],
      dofs: none(3),
      density: none(3),
      rank_ratio: none(3),
      conditioning: none(3),
      asymmetry: none(3),
      mu_min: none(3),
      mu_max: none(3),
      picture: ['', '', ''],
    },
    rows: {
      solver: [0, 1, 0, 1, 0],
      problem: [0, 0, 1, 1, 2],
      tolerance: [0, 0, 0, 0, 0],
      limit: [0, 0, 0, 0, 0],
      status: [0, 0, 0, 1, 1],
      solved: [1, 1, 1, 0, 0],
      error: [1e-5, 1e-5, 1e-5, 0.1, 0.2],
      reported: none(5),
      iterations: [7, 3, 9, 100, 100],
      seconds: [0.5, 0.25, 2, 10, 10],
      cpu: none(5),
      setup: none(5),
      factorisation: none(5),
      repetitions: [1, 1, 1, 1, 1],
      spread: none(5),
      memory: none(5),
      load: none(5),
      message: [0, 0, 0, 0, 0],
      used: [0, 0, 0, 0, 0],
    },
    history: {},
  };
}
