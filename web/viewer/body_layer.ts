// The bodies of a record as instances of their shapes.
import {MappedBatch, PolygonBatch, SkinBatch, SphereBatch, show_inside, type Polygon} from './batches.ts';
import type {BodyFrame, PartColumns, RecordInfo, SolidKind} from './data.ts';
import {from_rows, multiply, rotation} from './linear.ts';
import {scale} from './palette.ts';
import type {Stage} from './stage.ts';
import {unit_box, unit_capsule, unit_cylinder} from './unit_shapes.ts';

/** Parts of one kind, of bodies or of obstacles. */
interface Part {
  columns: PartColumns;
  at: number[]; // which of the columns
}

const unit = {box: unit_box, cylinder: unit_cylinder, capsule: unit_capsule};

function split(columns: PartColumns | undefined, moving: number): [Part, Part] {
  const parts: [Part, Part] = [
    {columns: columns!, at: []},
    {columns: columns!, at: []},
  ];
  columns?.body.forEach((body, k) => parts[body < moving ? 0 : 1].at.push(k));
  return parts;
}

export class BodyLayer {
  /** The colour of each body, red, green, blue, 255. */
  readonly colours: Uint8Array;
  /** 1: not drawn. */
  readonly hidden: Uint8Array;
  readonly count: number;
  private readonly spheres: [SphereBatch, Part][] = [];
  private readonly ellipsoids: [MappedBatch, Part][] = [];
  private readonly solids: [SolidKind, MappedBatch, Part][] = [];
  private readonly polygons: {batch: PolygonBatch; body: number[]}[] = [];
  private skin: SkinBatch | null = null;
  /** Vertices of bodies of elements are coloured by their stress within it; null: by their bodies. */
  stress_range: [number, number] | null = null;
  private readonly pose = new Float32Array(9);
  private readonly axes = new Float32Array(9);
  private readonly placed = new Float32Array(9);

  constructor(
    private readonly info: RecordInfo,
    private readonly stage: Stage,
  ) {
    this.count = info.bodies.name.length;
    this.colours = new Uint8Array(4 * this.count).fill(255);
    this.hidden = new Uint8Array(this.count);
    for (const layer of ['bodies', 'obstacles'] as const) {
      const uniforms = layer === 'bodies' ? stage.uniforms : stage.obstacle_uniforms;
      const which = layer === 'bodies' ? 0 : 1;
      const add = <T extends {drawing: SphereBatch['drawing']}>(batch: T): T => {
        stage.add(batch.drawing, layer);
        return batch;
      };
      // A sphere that is deformed is an ellipsoid.
      const round = split(info.parts.sphere, info.moving)[which];
      if (round.at.length > 0) {
        if (info.deforms && which === 0) this.ellipsoids.push([add(new MappedBatch(uniforms, 'ellipsoid')), round]);
        else this.spheres.push([add(new SphereBatch(uniforms)), round]);
      }
      const oval = split(info.parts.ellipsoid, info.moving)[which];
      if (oval.at.length > 0) this.ellipsoids.push([add(new MappedBatch(uniforms, 'ellipsoid')), oval]);
      for (const kind of ['box', 'cylinder', 'capsule'] as const) {
        const part = split(info.parts[kind], info.moving)[which];
        if (part.at.length > 0) this.solids.push([kind, add(new MappedBatch(uniforms, unit[kind]())), part]);
      }
      this.add_polygons(layer);
    }
    if (info.skin) {
      const {owner} = info.skin;
      this.skin = new SkinBatch(stage.uniforms, info.skin.vertices, info.skin.triangles, (vertex) => owner[vertex] + 1);
      show_inside(this.skin.drawing, true);
      stage.add(this.skin.drawing, 'bodies');
    }
  }

  private add_polygons(layer: 'bodies' | 'obstacles') {
    const {polygons} = this.info.parts;
    const parts: Polygon[][] = [];
    const owners: number[] = [];
    let corner = 0;
    let face = 0;
    let loop = 0;
    polygons.body.forEach((body, k) => {
      const list: Polygon[] = [];
      for (let f = 0; f < polygons.faces[k]; ++f, ++face) {
        const corners: number[][] = [];
        for (let c = 0; c < polygons.sizes[face]; ++c, ++loop) {
          const at = 3 * (corner + polygons.loops[loop]);
          corners.push(polygons.corners.slice(at, at + 3));
        }
        list.push({corners});
      }
      corner += polygons.vertices[k];
      if (body < this.info.moving === (layer === 'bodies')) {
        parts.push(list);
        owners.push(body);
      }
    });
    if (parts.length === 0) return;
    const uniforms = layer === 'bodies' ? this.stage.uniforms : this.stage.obstacle_uniforms;
    const batch = new PolygonBatch(uniforms, parts, (part) => owners[part] + 1);
    this.polygons.push({batch, body: owners});
    this.stage.add(batch.drawing, layer);
  }

  /** Position of a body, and its map in `pose`. */
  private place(frame: BodyFrame, body: number): [Float32Array | number[], number] {
    const frame_bodies = this.info.moving + this.info.driven;
    if (body >= frame_bodies) {
      const fixed = body - frame_bodies;
      rotation(this.info.bodies.orientation, 4 * fixed, this.pose);
      return [this.info.bodies.position, 3 * fixed];
    }
    if (frame.deformation) from_rows(frame.deformation, 9 * body, this.pose);
    else rotation(frame.orientation, 4 * body, this.pose);
    return [frame.position, 3 * body];
  }

  /** Fills all buffers. */
  update(frame: BodyFrame) {
    for (const [batch, part] of this.spheres) this.fill_spheres(batch, part, frame);
    for (const [batch, part] of this.ellipsoids) this.fill_mapped(batch, part, frame, 'ellipsoid');
    for (const [kind, batch, part] of this.solids) this.fill_mapped(batch, part, frame, kind);
    for (const {batch, body} of this.polygons) this.fill_polygons(batch, body, frame);
    if (this.skin && frame.vertices) this.fill_skin(frame);
  }

  private fill_spheres(batch: SphereBatch, {columns, at}: Part, frame: BodyFrame) {
    batch.begin(at.length);
    const {data} = batch;
    const {position, orientation} = frame;
    const frame_bodies = this.info.moving + this.info.driven;
    let n = 0;
    for (const k of at) {
      const b = columns.body[k];
      if (this.hidden[b]) continue;
      const to = 8 * n;
      const x = columns.centre[3 * k];
      const y = columns.centre[3 * k + 1];
      const z = columns.centre[3 * k + 2];
      if (b < frame_bodies && x === 0 && y === 0 && z === 0) {
        for (let i = 0; i < 3; ++i) data[to + i] = position[3 * b + i];
      } else {
        const [place, p] = this.place(frame, b);
        for (let i = 0; i < 3; ++i)
          data[to + i] = place[p + i] + this.pose[i] * x + this.pose[3 + i] * y + this.pose[6 + i] * z;
      }
      data[to + 3] = columns.size[3 * k];
      if (b < frame_bodies) for (let i = 0; i < 4; ++i) data[to + 4 + i] = orientation[4 * b + i];
      batch.paint(n, this.colours, 4 * b, 255, b + 1);
      ++n;
    }
    batch.end(n);
  }

  private fill_mapped(batch: MappedBatch, {columns, at}: Part, frame: BodyFrame, kind: SolidKind | 'ellipsoid') {
    batch.begin(at.length);
    const {pose, axes, placed} = this;
    const {centre, size} = columns;
    let n = 0;
    for (const k of at) {
      const b = columns.body[k];
      if (this.hidden[b]) continue;
      const [place, p] = this.place(frame, b);
      rotation(columns.axes, 4 * k, axes);
      multiply(pose, axes, 0, placed);
      let sx = size[3 * k];
      let sy = size[3 * k + 1];
      let sz = size[3 * k + 2];
      const stretch = [1, 0];
      if (kind === 'capsule') {
        stretch[0] = sx;
        stretch[1] = sy;
        sx = sy = sz = 1;
      } else if (kind === 'cylinder') {
        sz = sy;
        sy = sx;
      } else if (kind === 'ellipsoid' && sy === 0) sy = sz = sx; // a sphere
      const at_centre = (i: number) =>
        place[p + i] + pose[i] * centre[3 * k] + pose[3 + i] * centre[3 * k + 1] + pose[6 + i] * centre[3 * k + 2];
      batch.place(n, placed, sx, sy, sz, at_centre(0), at_centre(1), at_centre(2));
      batch.data[16 * n + 12] = stretch[0];
      batch.data[16 * n + 13] = stretch[1];
      if (kind === 'ellipsoid') {
        // The largest half axis is bounded by the largest row sum of |A Aᵀ|; for a rotated sphere that is its radius.
        let most = 0;
        for (let i = 0; i < 3; ++i) {
          let sum = 0;
          for (let j = 0; j < 3; ++j)
            sum += Math.abs(
              placed[i] * placed[j] * sx * sx +
                placed[3 + i] * placed[3 + j] * sy * sy +
                placed[6 + i] * placed[6 + j] * sz * sz,
            );
          most = Math.max(most, sum);
        }
        batch.data[16 * n + 14] = Math.sqrt(most);
      }
      batch.paint(n, this.colours, 4 * b, 255, b + 1);
      ++n;
    }
    batch.end(n);
  }

  private fill_polygons(batch: PolygonBatch, owners: number[], frame: BodyFrame) {
    const {pose} = this;
    owners.forEach((b, k) => {
      const [place, p] = this.place(frame, b);
      const at = 16 * k;
      for (let row = 0; row < 3; ++row) {
        for (let column = 0; column < 3; ++column) batch.maps[at + 4 * row + column] = pose[3 * column + row];
        batch.maps[at + 4 * row + 3] = place[p + row];
      }
      for (let i = 0; i < 4; ++i) batch.maps[at + 12 + i] = this.hidden[b] ? 0 : this.colours[4 * b + i] / 255;
    });
    batch.finish();
  }

  private fill_skin(frame: BodyFrame) {
    const {skin} = this;
    const {owner} = this.info.skin!;
    skin!.position.set(frame.vertices!);
    owner.forEach((b, v) => {
      for (let i = 0; i < 3; ++i) skin!.colour[4 * v + i] = this.colours[4 * b + i];
      skin!.colour[4 * v + 3] = this.hidden[b] ? 0 : 255;
    });
    if (this.stress_range) {
      const [low, high] = this.stress_range;
      frame.stress!.forEach((stress, v) => {
        const k = 3 * Math.round(255 * Math.max(0, Math.min(1, (stress - low) / (high - low))));
        for (let i = 0; i < 3; ++i) skin!.colour[4 * v + i] = scale[k + i];
      });
    }
    skin!.finish();
  }
}
