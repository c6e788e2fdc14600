// The campaign as campaign/report_data.cpp writes it: one JSON object, columns instead of rows, and the questions that
// every part of the page asks of it.

/** Columns of equal length; a number that is not known is null. */
export interface Campaign {
  format: number;
  title: string;
  facts: [string, string][];
  plan: string;
  warnings: string[];
  solvers: {label: string[]; family: string[]; given: string[]; composition: string[]};
  sets: string[];
  tolerances: number[];
  statuses: string[];
  /** Limits of time that occur, in seconds. */
  limits: number[];
  texts: string[];
  problems: {
    name: string[];
    set: number[];
    contacts: (number | null)[];
    dofs: (number | null)[];
    density: (number | null)[];
    /** d·n_c / rank W, as RR prints it. */
    rank_ratio: (number | null)[];
    conditioning: (number | null)[];
    asymmetry: (number | null)[];
    mu_min: (number | null)[];
    mu_max: (number | null)[];
    /** Paths relative to the page; empty where there is none. */
    picture: string[];
  };
  rows: {
    solver: number[];
    problem: number[];
    tolerance: number[];
    limit: number[];
    status: number[];
    /** 1: converged, and the recomputed error is at or below the tolerance. */
    solved: number[];
    /** Recomputed independently. */
    error: (number | null)[];
    reported: (number | null)[];
    iterations: (number | null)[];
    seconds: (number | null)[];
    cpu: (number | null)[];
    setup: (number | null)[];
    factorisation: (number | null)[];
    repetitions: number[];
    /** Noise of the repetitions: (median − minimum)/minimum. */
    spread: (number | null)[];
    memory: (number | null)[];
    load: (number | null)[];
    /** Numbers of texts. */
    message: number[];
    used: number[];
  };
  /** By row number; error is log₁₀ of the error times 100, rounded. */
  history: Record<string, {iteration: number[]; error: number[]; seconds: number[]}>;
}

/** A problem at a tolerance and a limit of time: what a performance profile counts. */
export interface Instance {
  problem: number;
  set: number;
  tolerance: number;
  limit: number;
}

/** The campaign with its rows found by instance and solver. */
export class Results {
  readonly instances: Instance[] = [];
  /** cell[instance · solvers + solver]: the row, or −1 where the solve was not run. */
  private readonly cells: Int32Array;
  readonly solver_count: number;

  constructor(readonly campaign: Campaign) {
    const {rows, problems} = campaign;
    this.solver_count = campaign.solvers.label.length;
    const numbers = new Map<number, number>();
    const key_of = (row: number) =>
      (rows.problem[row] * campaign.tolerances.length + rows.tolerance[row]) * campaign.limits.length + rows.limit[row];
    for (let row = 0; row < rows.problem.length; ++row) {
      const key = key_of(row);
      if (numbers.has(key)) continue;
      numbers.set(key, 0);
      const problem = rows.problem[row];
      this.instances.push({
        problem,
        set: problems.set[problem],
        tolerance: rows.tolerance[row],
        limit: rows.limit[row],
      });
    }
    this.instances.sort(
      (a, b) => a.set - b.set || a.tolerance - b.tolerance || a.limit - b.limit || a.problem - b.problem,
    );
    this.instances.forEach((one, at) =>
      numbers.set((one.problem * campaign.tolerances.length + one.tolerance) * campaign.limits.length + one.limit, at),
    );
    this.cells = new Int32Array(this.instances.length * this.solver_count).fill(-1);
    for (let row = 0; row < rows.problem.length; ++row)
      this.cells[numbers.get(key_of(row))! * this.solver_count + rows.solver[row]] = row;
  }

  row_of(instance: number, solver: number): number {
    return this.cells[instance * this.solver_count + solver];
  }
  is_solved(row: number): boolean {
    return row >= 0 && this.campaign.rows.solved[row] === 1;
  }
  status_of(row: number): string {
    return row < 0 ? 'not run' : this.campaign.statuses[this.campaign.rows.status[row]];
  }
  contacts_of(instance: number): number {
    return this.campaign.problems.contacts[this.instances[instance].problem] ?? 1;
  }
  /** Numbers of the instances in these sets at these tolerances. */
  within(sets: ReadonlySet<number>, tolerances: ReadonlySet<number>): number[] {
    const chosen: number[] = [];
    this.instances.forEach((one, at) => {
      if (sets.has(one.set) && tolerances.has(one.tolerance)) chosen.push(at);
    });
    return chosen;
  }
}
