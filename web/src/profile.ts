// Performance profiles (Dolan and Moré 2002; RR 133–135). With t_{p,s} the cost of solver s on problem p, ∞ where it failed,
//
//   r_{p,s} = t_{p,s} / min_s t_{p,s},     ρ_s(τ) = card{ p : r_{p,s} ≤ τ } / n_p .
//
// Problems that no solver solves count in n_p and in no ρ. The same counting of plain costs, card{ p : t_{p,s} ≤ T } / n_p,
// is the absolute profile.

/** A step function: ρ = rho[k] on [x[k], x[k+1]), 0 before x[0]; x increases strictly. */
export interface Profile {
  x: number[];
  rho: number[];
}

/** ratios[s][p] = costs[s][p] / best of p; ∞ where the cost is not finite. A best cost of zero leaves ratio 1 to zeros. */
export function ratios_to_best(costs: readonly (readonly number[])[]): number[][] {
  const problems = costs.length === 0 ? 0 : costs[0].length;
  const ratios = costs.map(() => new Array<number>(problems).fill(Infinity));
  for (let p = 0; p < problems; ++p) {
    let best = Infinity;
    for (const row of costs) if (row[p] < best) best = row[p];
    if (best === Infinity) continue;
    for (let s = 0; s < costs.length; ++s) {
      const cost = costs[s][p];
      if (cost === best) ratios[s][p] = 1;
      else if (cost < Infinity && best > 0) ratios[s][p] = cost / best;
    }
  }
  return ratios;
}

/** The distribution function of the values; those that are not finite count in the number of problems only. */
export function distribution(values: readonly number[]): Profile {
  const finite = Float64Array.from(values.filter((value) => Number.isFinite(value))).sort();
  const profile: Profile = {x: [], rho: []};
  for (let k = 0; k < finite.length; ++k) {
    if (k + 1 < finite.length && finite[k + 1] === finite[k]) continue;
    profile.x.push(finite[k]);
    profile.rho.push((k + 1) / values.length);
  }
  return profile;
}

/** ρ(x), by bisection. */
export function value_at(profile: Profile, x: number): number {
  let low = 0;
  let high = profile.x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (profile.x[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : profile.rho[low - 1];
}

/** The profiles of the solvers relative to the best of them. */
export function performance_profiles(costs: readonly (readonly number[])[]): Profile[] {
  return ratios_to_best(costs).map(distribution);
}
