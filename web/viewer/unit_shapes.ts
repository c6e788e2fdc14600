// Unit shapes: corners with normals, and for each corner of a triangle its distance to the edges that are drawn.

export interface UnitShape {
  position: Float32Array;
  normal: Float32Array;
  /** A number a corner for each side of the triangle: 0 on the side, 1 at the corner across; 1 everywhere where the side is not drawn. */
  edge: Float32Array;
  /** ±1: the corner belongs to that end of a capsule. */
  end: Float32Array;
}

class Builder {
  readonly position: number[] = [];
  readonly normal: number[] = [];
  readonly edge: number[] = [];
  readonly end: number[] = [];

  /** sides[k]: whether the side across from corner k is drawn. */
  triangle(corners: number[][], normals: number[][], sides: boolean[], ends: number[] = [0, 0, 0]) {
    for (let k = 0; k < 3; ++k) {
      this.position.push(...corners[k]);
      this.normal.push(...normals[k]);
      for (let side = 0; side < 3; ++side) this.edge.push(sides[side] && k !== side ? 0 : 1);
      this.end.push(ends[k]);
    }
  }
  finish(): UnitShape {
    return {
      position: new Float32Array(this.position),
      normal: new Float32Array(this.normal),
      edge: new Float32Array(this.edge),
      end: new Float32Array(this.end),
    };
  }
}

/** Cuts a plane polygon into a fan; only its own sides are drawn. */
export function fan(corners: number[][], normal: number[], add: (c: number[][], n: number[][], s: boolean[]) => void) {
  for (let k = 1; k + 1 < corners.length; ++k)
    add([corners[0], corners[k], corners[k + 1]], [normal, normal, normal], [true, k + 2 === corners.length, k === 1]);
}

/** |x|, |y|, |z| ≤ 1. */
export function unit_box(): UnitShape {
  const builder = new Builder();
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const corner = (a: number, b: number) => {
        const x = [0, 0, 0];
        x[axis] = side;
        x[(axis + 1) % 3] = a;
        x[(axis + 2) % 3] = b;
        return x;
      };
      const normal = [0, 0, 0];
      normal[axis] = side;
      const loop = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      if (side < 0) loop.reverse();
      fan(loop, normal, (c, n, s) => builder.triangle(c, n, s));
    }
  return builder.finish();
}

/** x² + y² ≤ 1, |z| ≤ 1. */
export function unit_cylinder(segments = 28): UnitShape {
  const rims = true;
  const builder = new Builder();
  const at = (k: number, z: number) => [
    Math.cos((2 * Math.PI * k) / segments),
    Math.sin((2 * Math.PI * k) / segments),
    z,
  ];
  const out = (k: number) => at(k, 0);
  for (let k = 0; k < segments; ++k) {
    builder.triangle([at(k, -1), at(k + 1, -1), at(k + 1, 1)], [out(k), out(k + 1), out(k + 1)], [false, false, rims]);
    builder.triangle([at(k, -1), at(k + 1, 1), at(k, 1)], [out(k), out(k + 1), out(k)], [rims, false, false]);
    for (const z of [-1, 1]) {
      const normal = [0, 0, z];
      const pair = z > 0 ? [at(k, z), at(k + 1, z)] : [at(k + 1, z), at(k, z)];
      builder.triangle([[0, 0, z], ...pair], [normal, normal, normal], [rims, false, false]);
    }
  }
  return builder.finish();
}

/** A unit ball whose halves belong to the two ends, with the tube between them. */
export function unit_capsule(segments = 20, rings = 6): UnitShape {
  const builder = new Builder();
  const at = (k: number, ring: number) => {
    const a = (2 * Math.PI * k) / segments;
    const b = (Math.PI / 2) * (ring / rings);
    return [Math.cos(a) * Math.cos(b), Math.sin(a) * Math.cos(b), Math.sin(b)];
  };
  const none = [false, false, false];
  const quad = (a: number[], b: number[], c: number[], d: number[], ends: number[]) => {
    builder.triangle([a, b, c], [a, b, c], none, [ends[0], ends[1], ends[2]]);
    builder.triangle([a, c, d], [a, c, d], none, [ends[0], ends[2], ends[3]]);
  };
  for (let k = 0; k < segments; ++k) {
    for (let ring = -rings; ring < rings; ++ring) {
      const end = ring < 0 ? -1 : 1;
      quad(at(k, ring), at(k + 1, ring), at(k + 1, ring + 1), at(k, ring + 1), [end, end, end, end]);
    }
    quad(at(k, 0), at(k + 1, 0), at(k + 1, 0), at(k, 0), [-1, -1, 1, 1]);
  }
  return builder.finish();
}

/** Along z from 0 to 1: a shaft of radius 0.35 and a head of radius 1 on the last third. */
export function unit_arrow(segments = 7): UnitShape {
  const builder = new Builder();
  const neck = 0.66;
  const none = [false, false, false];
  const at = (k: number, r: number, z: number) => [
    r * Math.cos((2 * Math.PI * k) / segments),
    r * Math.sin((2 * Math.PI * k) / segments),
    z,
  ];
  for (let k = 0; k < segments; ++k) {
    const [n, m] = [at(k, 1, 0), at(k + 1, 1, 0)];
    builder.triangle([at(k, 0.35, 0), at(k + 1, 0.35, 0), at(k + 1, 0.35, neck)], [n, m, m], none);
    builder.triangle([at(k, 0.35, 0), at(k + 1, 0.35, neck), at(k, 0.35, neck)], [n, m, n], none);
    builder.triangle([at(k, 1, neck), at(k + 1, 1, neck), [0, 0, 1]], [n, m, at(k + 0.5, 1, 0.6)], none);
    builder.triangle(
      [[0, 0, neck], at(k + 1, 1, neck), at(k, 1, neck)],
      [
        [0, 0, -1],
        [0, 0, -1],
        [0, 0, -1],
      ],
      none,
    );
  }
  return builder.finish();
}
