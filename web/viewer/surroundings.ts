// The ground grid, planes, and the axes in the corner.
import {
  BufferAttribute,
  BufferGeometry,
  FrontSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import type {BodyFrame, RecordInfo} from './data.ts';
import {rotation} from './linear.ts';
import {ground_colours, obstacle_colours, rgb, type Mode} from './palette.ts';
import type {Stage} from './stage.ts';

/** 1, 2 or 5 times a power of ten, at least x. */
export function round_up(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  for (const digit of [1, 2, 5]) if (digit * power >= x * 0.9999) return digit * power;
  return 10 * power;
}

/** The largest 1, 2 or 5 times a power of ten that is not larger. */
export function round_down(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x * 1.0001));
  return [5, 2, 1].find((digit) => digit * power <= x * 1.0001)! * power;
}

/** Two directions across a unit vector, along the axes of the world where it is one of them. */
export function across(n: Vector3): [Vector3, Vector3] {
  const axis = Math.abs(n.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const u = axis.addScaledVector(n, -axis.dot(n)).normalize();
  return [u, new Vector3().crossVectors(n, u)];
}

export class Surroundings {
  /** m between two lines of the grid. */
  readonly spacing: number;
  private readonly fine: LineSegments;
  private readonly coarse: LineSegments;
  private readonly half: Vector3; // of the box that holds everything
  private readonly planes: {mesh: Mesh; body: number; centre: number[]; normal: Vector3}[] = [];

  constructor(
    private readonly info: RecordInfo,
    private readonly stage: Stage,
  ) {
    const up = stage.eye.up;
    const low = new Vector3(...(info.low as [number, number, number]));
    const high = new Vector3(...(info.high as [number, number, number]));
    const size = low.distanceTo(high);
    this.spacing = round_up(size / 16);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    // On a horizontal plane where there is one, otherwise below everything.
    let height = Infinity;
    info.parts.plane?.body.forEach((body, k) => {
      if (info.bodies.kind[body] !== 'fixed') return;
      const {point, normal} = this.plane_of(null, body, k);
      if (normal.dot(up) > 0.9999) height = Math.min(height, point.dot(up));
    });
    if (!Number.isFinite(height)) {
      height = Infinity;
      for (const x of [low.x, high.x])
        for (const y of [low.y, high.y])
          for (const z of [low.z, high.z]) height = Math.min(height, new Vector3(x, y, z).dot(up));
    }
    const [u, v] = across(up);
    const lines = (every: number, skip: number) => {
      const points: number[] = [];
      const n = 12;
      const snap = (x: number) => Math.round(x / (5 * this.spacing)) * 5 * this.spacing;
      const centre = up
        .clone()
        .multiplyScalar(height)
        .addScaledVector(u, snap(middle.dot(u)))
        .addScaledVector(v, snap(middle.dot(v)));
      const reach = 2 * n * this.spacing;
      for (let k = -2 * n; k <= 2 * n; ++k) {
        if (k % every !== 0 || (skip > 0 && k % skip === 0)) continue;
        const at = k * this.spacing;
        for (const [a, b] of [
          [u, v],
          [v, u],
        ])
          for (const end of [-reach, reach])
            points.push(...centre.clone().addScaledVector(a, at).addScaledVector(b, end).toArray());
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      const made = new LineSegments(geometry, new LineBasicMaterial({transparent: true, depthWrite: false}));
      made.frustumCulled = false;
      stage.grid.add(made);
      return made;
    };
    this.fine = lines(1, 5);
    this.coarse = lines(5, 0);
    this.half = high.clone().sub(low).multiplyScalar(0.5);
    this.add_planes();
  }

  private plane_of(frame: BodyFrame | null, body: number, k: number): {point: Vector3; normal: Vector3} {
    const columns = this.info.parts.plane!;
    const frame_bodies = this.info.moving + this.info.driven;
    const pose = new Float32Array(9);
    const axes = new Float32Array(9);
    let place: ArrayLike<number> = this.info.bodies.position;
    let at = 3 * (body - frame_bodies);
    if (body < frame_bodies) {
      if (!frame) return {point: new Vector3(), normal: new Vector3(0, 0, 1)};
      rotation(frame.orientation, 4 * body, pose);
      place = frame.position;
      at = 3 * body;
    } else rotation(this.info.bodies.orientation, 4 * (body - frame_bodies), pose);
    rotation(columns.axes, 4 * k, axes);
    const map = (x: ArrayLike<number>, from: number) =>
      new Vector3(
        ...([0, 1, 2].map((i) => pose[i] * x[from] + pose[3 + i] * x[from + 1] + pose[6 + i] * x[from + 2]) as [
          number,
          number,
          number,
        ]),
      );
    const point = map(columns.centre, 3 * k);
    point.add(new Vector3(place[at], place[at + 1], place[at + 2]));
    return {point, normal: map(axes, 6).normalize()};
  }

  private add_planes() {
    this.info.parts.plane?.body.forEach((body, k) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute(
        'position',
        new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3),
      );
      geometry.setIndex([0, 1, 2, 0, 2, 3]);
      // Seen from behind it would only be in the way.
      const material = new MeshBasicMaterial({transparent: true, opacity: 0.13, depthWrite: false, side: FrontSide});
      material.userData.flat = true;
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      this.stage.obstacles.add(mesh);
      this.planes.push({mesh, body, centre: [], normal: new Vector3()});
      mesh.userData.part = k;
    });
  }

  update(frame: BodyFrame, hidden: Uint8Array) {
    const {middle} = this.stage;
    for (const {mesh, body} of this.planes) {
      mesh.userData.hidden = hidden[body] === 1;
      const {point, normal} = this.plane_of(frame, body, mesh.userData.part as number);
      const [u, v] = across(normal);
      // Its square is under the bodies.
      const centre = middle.clone().addScaledVector(normal, point.clone().sub(middle).dot(normal));
      // It reaches a little beyond the box of everything, the ground farther.
      const level = Math.abs(normal.dot(this.stage.eye.up)) > 0.5;
      for (const axis of [u, v]) {
        const reach = [0, 1, 2].reduce((sum, i) => sum + Math.abs(axis.getComponent(i)) * this.half.getComponent(i), 0);
        axis.multiplyScalar((level ? 1.5 : 1.05) * Math.max(reach, level ? 0.5 * this.stage.radius : 0));
      }
      mesh.matrix.makeBasis(u, v, normal).setPosition(centre);
      mesh.matrixWorld.copy(mesh.matrix);
      (mesh.material as MeshBasicMaterial).opacity = hidden[body] ? 0 : 0.13;
    }
  }

  set mode(mode: Mode) {
    const colour = (hex: string) => rgb(hex).map((x) => x / 255) as [number, number, number];
    const [r, g, b] = colour(ground_colours[mode]);
    const ink = mode === 'light' ? 0 : 1;
    const blend = (share: number) => [r, g, b].map((x) => x + share * (ink - x)) as [number, number, number];
    (this.fine.material as LineBasicMaterial).color.setRGB(...blend(0.09), 'srgb-linear');
    (this.coarse.material as LineBasicMaterial).color.setRGB(...blend(0.2), 'srgb-linear');
    for (const {mesh} of this.planes)
      (mesh.material as MeshBasicMaterial).color.setRGB(...colour(obstacle_colours[mode]), 'srgb-linear');
  }
  set shown(shown: boolean) {
    this.fine.visible = this.coarse.visible = shown;
  }
}
