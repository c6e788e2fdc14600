// A draw call for each kind of shape: buffers of instances that are filled anew for every frame.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  FloatType,
  FrontSide,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  NearestFilter,
  RawShaderMaterial,
  RGBAFormat,
  type IUniform,
} from 'three';
import * as shaders from './shaders.ts';
import {fan, type UnitShape} from './unit_shapes.ts';

/** What all shaders share; the stage keeps them. */
export type Uniforms = Record<string, IUniform>;

/** A drawing with its twin for picking, on the same buffers. */
export interface Drawing {
  readonly mesh: Mesh;
  readonly pick: Mesh;
}

function material(vertex: string, fragment: string, uniforms: Uniforms, defines: Record<string, string>) {
  return new RawShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms,
    defines,
    glslVersion: GLSL3,
    side: FrontSide,
  });
}

function drawing(
  geometry: BufferGeometry,
  vertex: string,
  fragment: string,
  uniforms: Uniforms,
  defines: Record<string, string> = {},
): Drawing {
  const make = (more: Record<string, string>) => {
    const mesh = new Mesh(geometry, material(vertex, fragment, uniforms, {...defines, ...more}));
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    return mesh;
  };
  return {mesh: make({}), pick: make({PICK: '1'})};
}

/** Inner sides are seen only behind a cut, and through obstacles. */
export function show_inside(drawing: Drawing, inside: boolean) {
  for (const {material} of [drawing.mesh, drawing.pick]) {
    const one = material as RawShaderMaterial;
    one.side = inside ? DoubleSide : FrontSide;
  }
}

/** Puts a number that a pixel can carry into four bytes; 0 is nothing. */
export function write_label(to: Uint8Array, at: number, label: number) {
  to[4 * at] = label & 255;
  to[4 * at + 1] = (label >> 8) & 255;
  to[4 * at + 2] = (label >> 16) & 255;
  to[4 * at + 3] = (label >> 24) & 255;
}

/** Instances with named columns of numbers; `count` of them are drawn. */
class Instances {
  readonly geometry = new InstancedBufferGeometry();
  private readonly columns: InstancedBufferAttribute[] = [];
  protected capacity = 0;

  constructor(
    private readonly floats: Record<string, number>,
    private readonly bytes: Record<string, number>,
  ) {
    this.geometry.instanceCount = 0;
  }

  /** Makes room; what was there is lost. */
  protected grow(count: number) {
    if (count <= this.capacity) return;
    this.capacity = Math.ceil(count * 1.2);
    // three.js frees the buffers of the attributes that were there only with the geometry.
    this.geometry.dispose();
    this.columns.length = 0;
    for (const [name, width] of Object.entries(this.floats))
      this.add(name, new InstancedBufferAttribute(new Float32Array(width * this.capacity), width));
    for (const [name, width] of Object.entries(this.bytes))
      this.add(name, new InstancedBufferAttribute(new Uint8Array(width * this.capacity), width, true));
  }
  private add(name: string, column: InstancedBufferAttribute) {
    column.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute(name, column);
    this.columns.push(column);
  }
  protected array<T extends Float32Array | Uint8Array>(name: string): T {
    return this.geometry.getAttribute(name).array as T;
  }
  protected finish(count: number) {
    this.geometry.instanceCount = count;
    for (const column of this.columns) {
      column.clearUpdateRanges();
      column.addUpdateRange(0, count * column.itemSize);
      column.needsUpdate = true;
    }
  }
}

function square(geometry: InstancedBufferGeometry) {
  geometry.setAttribute('corner', new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
}

export class SphereBatch extends Instances {
  readonly drawing: Drawing;
  centre = new Float32Array();
  radius = new Float32Array();
  turn = new Float32Array();
  colour = new Uint8Array();
  label = new Uint8Array();

  constructor(uniforms: Uniforms) {
    super({centre: 3, radius: 1, turn: 4}, {colour: 4, label: 4});
    square(this.geometry);
    this.drawing = drawing(this.geometry, shaders.sphere_vertex, shaders.sphere_fragment, uniforms);
  }
  begin(count: number) {
    this.grow(count);
    if (this.capacity === 0) return;
    this.centre = this.array('centre');
    this.radius = this.array('radius');
    this.turn = this.array('turn');
    this.colour = this.array('colour');
    this.label = this.array('label');
  }
  end(count: number) {
    if (this.capacity > 0) this.finish(count);
  }
}

/** Ellipsoids, or solids of a unit shape: both are placed by a matrix. */
export class MappedBatch extends Instances {
  readonly drawing: Drawing;
  centre = new Float32Array();
  first = new Float32Array();
  second = new Float32Array();
  third = new Float32Array();
  radius = new Float32Array();
  stretch = new Float32Array();
  colour = new Uint8Array();
  label = new Uint8Array();

  constructor(uniforms: Uniforms, shape: UnitShape | 'ellipsoid') {
    const round = shape === 'ellipsoid';
    super(
      {centre: 3, first: 3, second: 3, third: 3, ...(round ? {radius: 1} : {stretch: 2})} as Record<string, number>,
      {colour: 4, label: 4},
    );
    if (shape === 'ellipsoid') {
      square(this.geometry);
      this.drawing = drawing(this.geometry, shaders.ellipsoid_vertex, shaders.ellipsoid_fragment, uniforms);
      return;
    }
    this.geometry.setAttribute('position', new BufferAttribute(shape.position, 3));
    this.geometry.setAttribute('normal', new BufferAttribute(shape.normal, 3));
    this.geometry.setAttribute('edge', new BufferAttribute(shape.edge, 3));
    this.geometry.setAttribute('end', new BufferAttribute(shape.end, 1));
    this.drawing = drawing(this.geometry, shaders.solid_vertex, shaders.surface_fragment, uniforms);
  }
  begin(count: number) {
    this.grow(count);
    if (this.capacity === 0) return;
    this.centre = this.array('centre');
    this.first = this.array('first');
    this.second = this.array('second');
    this.third = this.array('third');
    if (this.geometry.hasAttribute('radius')) this.radius = this.array('radius');
    else this.stretch = this.array('stretch');
    this.colour = this.array('colour');
    this.label = this.array('label');
  }
  end(count: number) {
    if (this.capacity > 0) this.finish(count);
  }
}

export interface Polygon {
  corners: number[][];
}

/** Polyhedra and meshes of many bodies: one buffer that never changes, and a texture with the place and colour of each part. */
export class PolygonBatch {
  readonly drawing: Drawing;
  /** Sixteen numbers a part: the rows (A, c), then the colour, 0 … 1. */
  readonly maps: Float32Array;
  private readonly texture: DataTexture;

  constructor(uniforms: Uniforms, parts: Polygon[][], label_of: (part: number) => number) {
    const position: number[] = [];
    const normal: number[] = [];
    const edge: number[] = [];
    const owner: number[] = [];
    parts.forEach((polygons, part) => {
      for (const {corners} of polygons) {
        // Newell's normal, which is right for any plane polygon.
        const n = [0, 0, 0];
        corners.forEach((a, k) => {
          const b = corners[(k + 1) % corners.length];
          for (let i = 0; i < 3; ++i)
            n[i] += (a[(i + 1) % 3] - b[(i + 1) % 3]) * (a[(i + 2) % 3] + b[(i + 2) % 3]);
        });
        const size = Math.hypot(n[0], n[1], n[2]) || 1;
        fan(corners, n.map((x) => x / size), (c, ns, sides) => {
          for (let k = 0; k < 3; ++k) {
            position.push(...c[k]);
            normal.push(...ns[k]);
            for (let side = 0; side < 3; ++side) edge.push(sides[side] && k !== side ? 0 : 1);
            owner.push(part);
          }
        });
      }
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normal), 3));
    geometry.setAttribute('edge', new BufferAttribute(new Float32Array(edge), 3));
    geometry.setAttribute('part', new BufferAttribute(new Float32Array(owner), 1));
    const label = new Uint8Array(4 * owner.length);
    owner.forEach((part, k) => write_label(label, k, label_of(part)));
    geometry.setAttribute('label', new BufferAttribute(label, 4, true));
    const width = 1024;
    const height = Math.max(1, Math.ceil((4 * parts.length) / width));
    this.maps = new Float32Array(4 * width * height);
    this.texture = new DataTexture(this.maps, width, height, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.drawing = drawing(
      geometry,
      shaders.polygon_vertex,
      shaders.surface_fragment,
      {...uniforms, maps: {value: this.texture}},
    );
  }
  finish() {
    this.texture.needsUpdate = true;
  }
}

/** Bodies with vertices of their own. */
export class SkinBatch {
  readonly drawing: Drawing;
  readonly position: Float32Array;
  readonly colour: Uint8Array;
  private readonly geometry = new BufferGeometry();

  constructor(uniforms: Uniforms, vertices: number, triangles: number[], label_of: (vertex: number) => number) {
    this.position = new Float32Array(3 * vertices);
    this.colour = new Uint8Array(4 * vertices);
    const label = new Uint8Array(4 * vertices);
    for (let v = 0; v < vertices; ++v) write_label(label, v, label_of(v));
    this.geometry.setAttribute('position', new BufferAttribute(this.position, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('colour', new BufferAttribute(this.colour, 4, true).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('label', new BufferAttribute(label, 4, true));
    this.geometry.setIndex(triangles);
    this.drawing = drawing(this.geometry, shaders.skin_vertex, shaders.surface_fragment, uniforms, {SKIN: '1'});
  }
  finish() {
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('colour').needsUpdate = true;
  }
}
