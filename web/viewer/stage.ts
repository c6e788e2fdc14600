// The picture: renderer, layers drawn one over the other, mouse and keys that move the eye, picking.
//
// Order of drawing: grid; contacts and chains; bodies; obstacles, which let everything through. Bodies that let through are drawn twice:
// first their depths alone, then their nearest surfaces over what is behind, so that no order of bodies matters.
import {
  BackSide,
  Color,
  DoubleSide,
  EqualDepth,
  FrontSide,
  LessEqualDepth,
  Matrix4,
  type Mesh,
  type Object3D,
  type RawShaderMaterial,
  Scene,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type {Drawing, Uniforms} from './batches.ts';
import {Eye, type View} from './eye.ts';
import {ground_colours, rgb, type Mode} from './palette.ts';

export class Stage {
  readonly uniforms: Uniforms = {
    section: {value: new Vector4(0, 0, 0, 0)},
    orthographic: {value: 0},
    up_in_view: {value: new Vector3(0, 1, 0)},
    ground: {value: new Vector3(1, 1, 1)},
    haze: {value: new Vector2(0, 1)},
    camera_matrix: {value: new Matrix4()},
    marked: {value: 1},
    edges: {value: 0.8},
    opacity: {value: 1},
    depth_only: {value: 0},
    sieve: {value: 1},
  };
  /** Their own share of opacity. */
  readonly over_uniforms: Uniforms = {
    ...this.uniforms,
    opacity: {value: 1},
    marked: {value: 0},
    edges: {value: 0},
    sieve: {value: 1},
  };
  readonly obstacle_uniforms: Uniforms = {
    ...this.uniforms,
    opacity: {value: 0.2},
    marked: {value: 0},
    sieve: {value: 1},
  };

  readonly grid = new Scene();
  readonly contacts = new Scene();
  readonly bodies = new Scene();
  readonly obstacles = new Scene();
  private readonly picks = new Scene();
  readonly eye: Eye;
  /** What is drawn, for the nearest and farthest distance. */
  readonly middle = new Vector3();
  private readonly low = new Vector3();
  private readonly high = new Vector3();
  radius = 1;
  /** Pictures in the last second, while something moves. */
  fps = 0;
  drawn = 0;
  /** Every picture is a fine one, however long it takes. */
  still = false;
  /** Called before each picture with the time in ms; says whether more will come. */
  before: (now: number) => boolean = () => false;
  picked: (label: number) => void = () => {};
  after: () => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly one_pixel = new WebGLRenderTarget(1, 1);
  private readonly moments: number[] = [];
  private pending = false;
  private idle = 0;
  private fine = false;
  /** Points a pixel, along one side, while something moves: fewer where the machine is slow. */
  private coarseness = 1;
  private last_picture = 0;
  private size_used = 1;
  private body_opacity = 1;
  private inside = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    up: Vector3,
  ) {
    this.renderer = new WebGLRenderer({canvas, antialias: false, powerPreference: 'high-performance'});
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false;
    this.eye = new Eye(up);
    for (const scene of [this.grid, this.contacts, this.bodies, this.obstacles, this.picks])
      scene.matrixWorldAutoUpdate = false;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.listen();
  }

  get gpu(): string {
    const gl = this.renderer.getContext();
    const extension = gl.getExtension('WEBGL_debug_renderer_info');
    return extension ? String(gl.getParameter(extension.UNMASKED_RENDERER_WEBGL)) : '';
  }
  get calls(): number {
    return this.renderer.info.render.calls;
  }

  add(drawing: Drawing, layer: 'bodies' | 'contacts' | 'obstacles') {
    this[layer].add(drawing.mesh);
    this.picks.add(drawing.pick);
    const own = drawing.mesh.material as RawShaderMaterial;
    if (layer === 'contacts') own.transparent = true;
    if (layer === 'obstacles') {
      own.transparent = true;
      own.depthWrite = false;
    }
    drawing.pick.userData.layer = layer;
  }

  set mode(mode: Mode) {
    const [r, g, b] = rgb(ground_colours[mode]);
    (this.uniforms.ground.value as Vector3).set(r / 255, g / 255, b / 255);
    this.renderer.setClearColor(new Color().setRGB(r / 255, g / 255, b / 255, 'srgb-linear'), 1);
    this.renderer.outputColorSpace = 'srgb-linear';
    this.draw();
  }
  set opacity(opacity: number) {
    this.body_opacity = opacity;
    this.draw();
  }
  /** n·x ≤ d stays; null: everything. */
  set section(plane: [number, number, number, number] | null) {
    (this.uniforms.section.value as Vector4).set(...(plane ?? [0, 0, 0, 0]));
    this.inside = plane !== null;
    const side = this.inside ? DoubleSide : FrontSide;
    for (const scene of [this.bodies, this.picks])
      for (const child of scene.children) if (child.userData.layer !== 'contacts') material_of(child).side = side;
    this.draw();
  }

  private get aspect(): number {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }
  private resize() {
    this.fine = this.still;
    this.apply_size();
    this.draw_now(performance.now());
  }
  private apply_size() {
    const box = this.canvas.parentElement!;
    this.renderer.setPixelRatio(Math.min(3, devicePixelRatio * (this.fine ? 2 : this.coarseness)));
    this.renderer.setSize(Math.max(1, box.clientWidth), Math.max(1, box.clientHeight), false);
  }

  /** A picture soon; then, when nothing has moved for a moment, a finer one. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.draw_now(now));
  }
  private draw_now(now: number) {
    this.pending = false;
    const more = this.before(now);
    const flying = this.eye.advance(now);
    if (this.still ? !this.fine : this.fine || this.adapt(now)) {
      this.fine = this.still;
      this.apply_size();
    }
    this.render();
    this.count(now);
    clearTimeout(this.idle);
    if (more || flying) this.draw();
    else this.idle = window.setTimeout(() => this.refine(), 160);
    this.after();
  }
  /** Fifteen pictures a second, by fewer points where they do not come otherwise. Says whether their number has changed. */
  private adapt(now: number): boolean {
    const passed = now - this.last_picture;
    this.last_picture = now;
    if (passed > 1500) return false; // nothing was moving
    const before = this.coarseness;
    if (passed > 75) this.coarseness = Math.max(0.34, this.coarseness * Math.max(0.6, Math.sqrt(60 / passed)));
    else if (passed < 30) this.coarseness = Math.min(1, this.coarseness * 1.03);
    // Small changes are not worth new buffers.
    if (Math.abs(this.coarseness / this.size_used - 1) < 0.12 && !(this.coarseness === 1 && before < 1)) return false;
    this.size_used = this.coarseness;
    return true;
  }
  /** The same picture with four points a pixel. */
  refine() {
    if (this.pending || this.fine) return;
    this.fine = true;
    this.apply_size();
    this.render();
  }
  private count(now: number) {
    ++this.drawn;
    this.moments.push(now);
    while (this.moments[0] < now - 1000) this.moments.shift();
    this.fps = this.moments.length > 1 ? ((this.moments.length - 1) * 1000) / (now - this.moments[0]) : 0;
  }

  private render() {
    const {renderer, uniforms, eye} = this;
    eye.update(this.aspect, this.middle, this.radius);
    const {camera} = eye;
    uniforms.orthographic.value = eye.orthographic ? 1 : 0;
    (uniforms.camera_matrix.value as Matrix4).copy(camera.matrixWorld);
    (uniforms.up_in_view.value as Vector3).copy(eye.up).transformDirection(camera.matrixWorldInverse);
    const reach = camera.position.distanceTo(this.middle);
    (uniforms.haze.value as Vector2).set(Math.max(0, reach - this.radius), reach + 1.2 * this.radius);
    renderer.info.reset();
    renderer.clear();
    renderer.render(this.grid, camera);
    renderer.render(this.contacts, camera);
    // On a slow machine, while something moves, a pattern of points is what bodies let through: one cheap pass instead of two.
    const sifted = this.body_opacity < 0.999 && !this.fine && this.coarseness < 1;
    uniforms.sieve.value = sifted ? this.body_opacity : 1;
    uniforms.opacity.value = sifted ? 1 : this.body_opacity;
    if (this.body_opacity >= 0.999 || (sifted && this.body_opacity > 0.001)) {
      for (const child of this.bodies.children) configure(material_of(child), {see_through: false});
      renderer.render(this.bodies, camera);
    } else if (this.body_opacity > 0.001) {
      for (const child of this.bodies.children) configure(material_of(child), {see_through: false, depth_only: true});
      uniforms.depth_only.value = 1;
      renderer.render(this.bodies, camera);
      uniforms.depth_only.value = 0;
      for (const child of this.bodies.children) configure(material_of(child), {see_through: true});
      renderer.render(this.bodies, camera);
    }
    // What is in front of the bodies is fainter than what is behind them.
    for (const side of [BackSide, FrontSide] as const) {
      this.obstacle_uniforms.opacity.value = side === BackSide ? 0.2 : 0.08;
      for (const child of this.obstacles.children) {
        const material = material_of(child);
        if (material.userData.flat !== true) material.side = side;
        else child.visible = side === FrontSide;
      }
      renderer.render(this.obstacles, camera);
    }
  }

  /** What is at a place of the window, in its pixels: the label that was given, 0 for nothing. */
  pick(x: number, y: number): number {
    const {renderer} = this;
    const {camera} = this.eye;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    camera.setViewOffset(width, height, Math.floor(x), Math.floor(y), 1, 1);
    const clear = renderer.getClearColor(new Color());
    for (const child of this.picks.children)
      child.visible =
        child.userData.layer !== 'obstacles' &&
        (child.userData.layer !== 'bodies' || this.body_opacity > 0.001) &&
        child.userData.hidden !== true;
    this.uniforms.sieve.value = 1;
    renderer.setRenderTarget(this.one_pixel);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(this.picks, camera);
    const pixel = new Uint8Array(4);
    renderer.readRenderTargetPixels(this.one_pixel, 0, 0, 1, 1, pixel);
    renderer.setRenderTarget(null);
    renderer.setClearColor(clear, 1);
    camera.clearViewOffset();
    return pixel[0] + 256 * (pixel[1] + 256 * (pixel[2] + 256 * pixel[3]));
  }

  fit(radius: number, target: Vector3) {
    this.eye.fly({target, distance: this.eye.distance_for(radius, this.aspect)}, performance.now());
    this.draw();
  }
  /** Everything between low and high. */
  fit_all(view?: View, now = performance.now()) {
    this.fit_box(this.low, this.high, view, now);
  }
  fit_box(low: Vector3, high: Vector3, view?: View, now = performance.now()) {
    const target = low.clone().add(high).multiplyScalar(0.5);
    const points: Vector3[] = [];
    for (const x of [low.x, high.x])
      for (const y of [low.y, high.y]) for (const z of [low.z, high.z]) points.push(new Vector3(x, y, z));
    const distance = this.eye.distance_for_points(points, target, this.aspect, view);
    this.eye.fly({target, distance, view}, now);
    this.draw();
  }
  /** What there is to be seen. */
  set_bounds(low: Vector3, high: Vector3) {
    this.low.copy(low);
    this.high.copy(high);
    this.middle.copy(low).add(high).multiplyScalar(0.5);
    this.radius = Math.max(1e-9, low.distanceTo(high) / 2);
  }
  look(view: View) {
    this.eye.fly({view}, performance.now());
    this.draw();
  }

  private listen() {
    const {canvas, eye} = this;
    const pointers = new Map<number, {x: number; y: number}>();
    let moved = 0;
    let spread = 0;
    const gap = () => {
      const [a, b] = [...pointers.values()];
      return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({preventScroll: true});
      pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      if (pointers.size === 1) moved = 0;
      spread = gap();
    });
    canvas.addEventListener('pointermove', (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const height = Math.max(1, canvas.clientHeight);
      const dx = event.clientX - last.x;
      const dy = event.clientY - last.y;
      moved += Math.abs(dx) + Math.abs(dy);
      last.x = event.clientX;
      last.y = event.clientY;
      if (pointers.size === 2) {
        const now = gap();
        if (spread > 0 && now > 0) eye.zoom(spread / now);
        spread = now;
        eye.pan(dx / height / 2, dy / height / 2);
      } else if (event.buttons & 6 || event.shiftKey || event.ctrlKey) eye.pan(dx / height, dy / height);
      else eye.turn((dx / height) * 4, (dy / height) * 4);
      this.draw();
    });
    const up = (event: PointerEvent) => {
      const was = pointers.delete(event.pointerId);
      if (was && pointers.size === 0 && moved < 5 && event.type === 'pointerup' && event.button === 0) {
        const box = canvas.getBoundingClientRect();
        this.picked(this.pick(event.clientX - box.left, event.clientY - box.top));
      }
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        const x = (2 * (event.clientX - box.left)) / box.width - 1;
        const y = 1 - (2 * (event.clientY - box.top)) / box.height;
        eye.zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.0015))), x, y, this.aspect);
        this.draw();
      },
      {passive: false},
    );
    canvas.addEventListener('keydown', (event) => {
      const step = 0.12;
      const keys: Record<string, () => void> = event.shiftKey
        ? {
            ArrowLeft: () => eye.pan(0.05, 0),
            ArrowRight: () => eye.pan(-0.05, 0),
            ArrowUp: () => eye.pan(0, 0.05),
            ArrowDown: () => eye.pan(0, -0.05),
            '+': () => eye.zoom(0.85),
          }
        : {
            ArrowLeft: () => eye.turn(-step, 0),
            ArrowRight: () => eye.turn(step, 0),
            ArrowUp: () => eye.turn(0, step),
            ArrowDown: () => eye.turn(0, -step),
            '+': () => eye.zoom(0.85),
            '=': () => eye.zoom(0.85),
            '-': () => eye.zoom(1 / 0.85),
          };
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      action();
      this.draw();
    });
  }
}

function material_of(object: Object3D): RawShaderMaterial {
  return (object as Mesh).material as RawShaderMaterial;
}

function configure(
  material: RawShaderMaterial,
  {see_through, depth_only = false}: {see_through: boolean; depth_only?: boolean},
) {
  material.colorWrite = !depth_only;
  material.transparent = see_through;
  material.depthFunc = see_through ? EqualDepth : LessEqualDepth;
  material.depthWrite = !see_through;
}
