// Where one looks from: a target, a direction by two angles, a distance; with perspective or without.
import {Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3} from 'three';

export type View = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'corner';
const quarter = Math.PI / 2;
/** Azimuth about the upward axis and elevation, in radians; the front is seen along +y. */
export const views: Record<View, [number, number]> = {
  front: [-quarter, 0],
  back: [quarter, 0],
  left: [Math.PI, 0],
  right: [0, 0],
  top: [-quarter, quarter],
  bottom: [-quarter, -quarter],
  corner: [-1.05, 0.45],
};

export class Eye {
  readonly target = new Vector3();
  azimuth = views.corner[0];
  elevation = views.corner[1];
  distance = 1;
  orthographic = false;
  private readonly perspective = new PerspectiveCamera(40, 1, 0.01, 100);
  private readonly parallel = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  private readonly upright: Matrix4; // takes z up to the upward axis of the scene
  private flight: {from: number[]; to: number[]; begin: number} | null = null;

  constructor(readonly up: Vector3) {
    this.upright = new Matrix4().makeRotationFromQuaternion(
      new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up),
    );
  }

  get camera() {
    return this.orthographic ? this.parallel : this.perspective;
  }

  /** From the target to the eye. */
  direction(): Vector3 {
    const c = Math.cos(this.elevation);
    return new Vector3(
      c * Math.cos(this.azimuth),
      c * Math.sin(this.azimuth),
      Math.sin(this.elevation),
    ).transformDirection(this.upright);
  }

  /** Axes of the screen in the world: to the right, upwards. */
  axes(): [Vector3, Vector3] {
    const right = new Vector3(-Math.sin(this.azimuth), Math.cos(this.azimuth), 0).transformDirection(this.upright);
    return [right, new Vector3().crossVectors(this.direction(), right)];
  }

  /** A distance at which a ball of this radius fills the window. */
  distance_for(radius: number, aspect: number): number {
    const half = (this.perspective.fov / 2) * (Math.PI / 180);
    return (1.05 * radius) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)));
  }

  /** A distance from `target` at which these points are in the window, seen as it is seen now or from another side. */
  distance_for_points(points: Vector3[], target: Vector3, aspect: number, view?: View): number {
    const before: [number, number] = [this.azimuth, this.elevation];
    if (view) [this.azimuth, this.elevation] = views[view];
    const direction = this.direction();
    const [right, up] = this.axes();
    [this.azimuth, this.elevation] = before;
    const tangent = Math.tan((this.perspective.fov / 2) * (Math.PI / 180));
    let distance = 1e-9;
    for (const point of points) {
      const x = point.clone().sub(target);
      const side = Math.max(Math.abs(x.dot(up)), Math.abs(x.dot(right)) / aspect);
      distance = Math.max(distance, x.dot(direction) + side / tangent);
    }
    return 1.06 * distance;
  }

  /** Brings the camera to where it should be; `radius`: of everything there is, about `middle`. */
  update(aspect: number, middle: Vector3, radius: number) {
    const direction = this.direction();
    const [right, up] = this.axes();
    const place = this.target.clone().addScaledVector(direction, this.distance);
    const reach = place.distanceTo(middle);
    const far = reach + 3 * radius + this.distance;
    const near = Math.max(this.distance * 0.02, (reach - 2 * radius) * 0.5, far * 1e-5);
    for (const camera of [this.perspective, this.parallel]) {
      camera.position.copy(place);
      camera.matrix.makeBasis(right, up, direction).setPosition(place);
      camera.matrix.decompose(camera.position, camera.quaternion, camera.scale);
      camera.near = near;
      camera.far = far;
    }
    this.perspective.aspect = aspect;
    const half = this.distance * Math.tan((this.perspective.fov / 2) * (Math.PI / 180));
    this.parallel.left = -half * aspect;
    this.parallel.right = half * aspect;
    this.parallel.top = half;
    this.parallel.bottom = -half;
    if (this.orthographic) {
      // Nothing in front is cut away.
      const back = 2 * radius + reach;
      this.parallel.position.addScaledVector(direction, back);
      this.parallel.near = 0;
      this.parallel.far = far + back;
    }
    for (const camera of [this.perspective, this.parallel]) {
      camera.updateMatrix();
      camera.updateMatrixWorld(true);
      camera.updateProjectionMatrix();
    }
  }

  turn(dx: number, dy: number) {
    this.flight = null;
    this.azimuth -= dx;
    this.elevation = Math.max(-quarter, Math.min(quarter, this.elevation + dy));
  }
  /** By shares of the height of the window. */
  pan(dx: number, dy: number) {
    this.flight = null;
    const [right, up] = this.axes();
    const height = 2 * this.distance * Math.tan((this.perspective.fov / 2) * (Math.PI / 180));
    this.target.addScaledVector(right, -dx * height).addScaledVector(up, dy * height);
  }
  /** Towards a point of the screen, −1 … 1. */
  zoom(factor: number, x = 0, y = 0, aspect = 1) {
    this.flight = null;
    const before = this.distance;
    this.distance *= factor;
    const [right, up] = this.axes();
    const height = Math.tan((this.perspective.fov / 2) * (Math.PI / 180)) * (before - this.distance);
    this.target.addScaledVector(right, x * height * aspect).addScaledVector(up, y * height);
  }

  private values(): number[] {
    return [...this.target.toArray(), this.azimuth, this.elevation, this.distance];
  }
  private set(values: number[]) {
    this.target.fromArray(values);
    [, , , this.azimuth, this.elevation, this.distance] = values;
  }
  /** Moves there in a third of a second; at once where motion is not wanted. */
  fly(to: {target?: Vector3; view?: View; distance?: number}, now: number) {
    const from = this.values();
    const goal = [...from];
    if (to.target) to.target.toArray(goal, 0);
    if (to.view) [goal[3], goal[4]] = views[to.view];
    if (to.distance) goal[5] = to.distance;
    // The short way round.
    from[3] -= 2 * Math.PI * Math.round((from[3] - goal[3]) / (2 * Math.PI));
    if (now === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) this.set(goal);
    else this.flight = {from, to: goal, begin: now};
  }
  /** One moment of a flight; false where there is none. */
  advance(now: number): boolean {
    if (!this.flight) return false;
    const {from, to, begin} = this.flight;
    const x = Math.min(1, (now - begin) / 350);
    const s = x * x * (3 - 2 * x);
    this.set(from.map((value, k) => value + s * (to[k] - value)));
    if (x >= 1) this.flight = null;
    return true;
  }
}
