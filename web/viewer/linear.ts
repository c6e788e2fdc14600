// Small matrices by columns, in place: x ↦ A x with A = (a, b, c) in nine numbers, column after column.

/** The rotation of the unit quaternion w, x, y, z at q[at]. */
export function rotation(q: ArrayLike<number>, at: number, out: Float32Array, to = 0) {
  const w = q[at];
  const x = q[at + 1];
  const y = q[at + 2];
  const z = q[at + 3];
  out[to] = 1 - 2 * (y * y + z * z);
  out[to + 1] = 2 * (x * y + w * z);
  out[to + 2] = 2 * (x * z - w * y);
  out[to + 3] = 2 * (x * y - w * z);
  out[to + 4] = 1 - 2 * (x * x + z * z);
  out[to + 5] = 2 * (y * z + w * x);
  out[to + 6] = 2 * (x * z + w * y);
  out[to + 7] = 2 * (y * z - w * x);
  out[to + 8] = 1 - 2 * (x * x + y * y);
}

/** By rows, as records have it, to columns. */
export function from_rows(F: ArrayLike<number>, at: number, out: Float32Array, to = 0) {
  for (let i = 0; i < 3; ++i) for (let j = 0; j < 3; ++j) out[to + 3 * j + i] = F[at + 3 * i + j];
}

export function multiply(A: Float32Array, B: ArrayLike<number>, b: number, out: Float32Array, to = 0) {
  for (let j = 0; j < 3; ++j) {
    const x = B[b + 3 * j];
    const y = B[b + 3 * j + 1];
    const z = B[b + 3 * j + 2];
    for (let i = 0; i < 3; ++i) out[to + 3 * j + i] = A[i] * x + A[3 + i] * y + A[6 + i] * z;
  }
}

export function determinant(A: ArrayLike<number>, at = 0): number {
  return (
    A[at] * (A[at + 4] * A[at + 8] - A[at + 5] * A[at + 7]) -
    A[at + 3] * (A[at + 1] * A[at + 8] - A[at + 2] * A[at + 7]) +
    A[at + 6] * (A[at + 1] * A[at + 5] - A[at + 2] * A[at + 4])
  );
}

/**
 * Von Mises stress of St Venant–Kirchhoff at F (by rows):
 * E = (FᵀF − I)/2, S = λ tr E I + 2 G E, σ = F S Fᵀ / det F, √(3/2 dev σ : dev σ).
 */
export function von_mises(F: ArrayLike<number>, at: number, young: number, poisson: number): number {
  const f = (i: number, j: number) => F[at + 3 * i + j];
  const lambda = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson));
  const G = young / (2 * (1 + poisson));
  const E: number[] = [];
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) {
      let sum = i === j ? -1 : 0;
      for (let k = 0; k < 3; ++k) sum += f(k, i) * f(k, j);
      E.push(sum / 2);
    }
  const trace = E[0] + E[4] + E[8];
  const S = E.map((e, k) => 2 * G * e + (k % 4 === 0 ? lambda * trace : 0));
  const J =
    f(0, 0) * (f(1, 1) * f(2, 2) - f(1, 2) * f(2, 1)) -
    f(0, 1) * (f(1, 0) * f(2, 2) - f(1, 2) * f(2, 0)) +
    f(0, 2) * (f(1, 0) * f(2, 1) - f(1, 1) * f(2, 0));
  const sigma: number[] = [];
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) {
      let sum = 0;
      for (let k = 0; k < 3; ++k) for (let l = 0; l < 3; ++l) sum += f(i, k) * S[3 * k + l] * f(j, l);
      sigma.push(sum / J);
    }
  const mean = (sigma[0] + sigma[4] + sigma[8]) / 3;
  let square = 0;
  sigma.forEach((s, k) => (square += (s - (k % 4 === 0 ? mean : 0)) ** 2));
  return Math.sqrt(1.5 * square);
}
