// A draw call for each kind of shape: textures with the numbers of instances, filled anew for every frame.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  FloatType,
  FrontSide,
  GLSL3,
  Mesh,
  NearestFilter,
  RawShaderMaterial,
  RGBAFormat,
  UnsignedByteType,
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

const width = 1024;

/** Numbers that a shader finds by their place. */
class NumberTexture {
  readonly texture: DataTexture;
  constructor(readonly array: Float32Array | Uint8Array) {
    const height = Math.max(1, array.length / 4 / width);
    this.texture = new DataTexture(
      array as Float32Array<ArrayBuffer>,
      width,
      height,
      RGBAFormat,
      array instanceof Float32Array ? FloatType : UnsignedByteType,
    );
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }
  /** Places for so many numbers, a whole number of rows. */
  static room(numbers: number): number {
    return 4 * width * Math.max(1, Math.ceil(numbers / 4 / width));
  }
}

/** Instances whose numbers are in textures; `count` of them are drawn. */
class Instances {
  readonly geometry = new BufferGeometry();
  /** `stride` numbers an instance. */
  data = new Float32Array();
  /** Eight bytes an instance: colour, label. */
  shades = new Uint8Array();
  private readonly own: {numbers: {value: DataTexture | null}; shades: {value: DataTexture | null}} = {
    numbers: {value: null},
    shades: {value: null},
  };
  private capacity = 0;

  /** `corners` of each instance; strips have four, with an index for their two triangles. */
  constructor(
    private readonly stride: number,
    private readonly corners: number,
    private readonly indexed: boolean,
  ) {
    this.geometry.setDrawRange(0, 0);
  }
  protected with_textures(uniforms: Uniforms): Uniforms {
    return {...uniforms, ...this.own};
  }

  /** Makes room; what was there is lost. */
  begin(count: number) {
    if (count <= this.capacity) return;
    this.capacity = Math.ceil(count * 1.2);
    this.data = new Float32Array(NumberTexture.room(this.stride * this.capacity));
    this.shades = new Uint8Array(NumberTexture.room(8 * this.capacity));
    this.own.numbers.value?.dispose();
    this.own.shades.value?.dispose();
    this.own.numbers.value = new NumberTexture(this.data).texture;
    this.own.shades.value = new NumberTexture(this.shades).texture;
    if (!this.indexed) return;
    const index = new Uint32Array(6 * this.capacity);
    for (let k = 0; k < this.capacity; ++k) {
      const at = 4 * k;
      index.set([at, at + 1, at + 2, at, at + 2, at + 3], 6 * k);
    }
    this.geometry.dispose();
    this.geometry.setIndex(new BufferAttribute(index, 1));
  }
  end(count: number) {
    this.geometry.setDrawRange(0, count * (this.indexed ? 6 : this.corners));
    if (count === 0) return;
    this.own.numbers.value!.needsUpdate = true;
    this.own.shades.value!.needsUpdate = true;
  }
  paint(n: number, colour: ArrayLike<number>, at: number, opacity: number, label: number) {
    const {shades} = this;
    shades[8 * n] = colour[at];
    shades[8 * n + 1] = colour[at + 1];
    shades[8 * n + 2] = colour[at + 2];
    shades[8 * n + 3] = opacity;
    write_label(shades, 2 * n + 1, label);
  }
}

/** Eight numbers an instance: centre, radius, quaternion. */
export class SphereBatch extends Instances {
  readonly drawing: Drawing;
  constructor(uniforms: Uniforms) {
    super(8, 3, false);
    this.drawing = drawing(this.geometry, shaders.sphere_vertex, shaders.sphere_fragment, this.with_textures(uniforms));
  }
}

/** Eight numbers an instance: a point and the radius, the other point and 0. */
export class LinkBatch extends Instances {
  readonly drawing: Drawing;
  constructor(uniforms: Uniforms) {
    super(8, 4, true);
    this.drawing = drawing(this.geometry, shaders.link_vertex, shaders.link_fragment, this.with_textures(uniforms));
    // A strip has no back.
    show_inside(this.drawing, true);
  }
}

/** Ellipsoids, or solids of a unit shape. Sixteen numbers an instance: the rows (A, c), then s, l, radius, 0. */
export class MappedBatch extends Instances {
  readonly drawing: Drawing;
  constructor(uniforms: Uniforms, shape: UnitShape | 'ellipsoid') {
    if (shape === 'ellipsoid') {
      super(16, 3, false);
      this.drawing = drawing(
        this.geometry,
        shaders.ellipsoid_vertex,
        shaders.ellipsoid_fragment,
        this.with_textures(uniforms),
      );
      return;
    }
    const corners = shape.end.length;
    super(16, corners, false);
    const places = new Float32Array(NumberTexture.room(12 * corners));
    for (let k = 0; k < corners; ++k) {
      places.set(shape.position.subarray(3 * k, 3 * k + 3), 12 * k);
      places[12 * k + 3] = shape.end[k];
      places.set(shape.normal.subarray(3 * k, 3 * k + 3), 12 * k + 4);
      places.set(shape.edge.subarray(3 * k, 3 * k + 3), 12 * k + 8);
    }
    this.drawing = drawing(this.geometry, shaders.solid_vertex, shaders.surface_fragment, {
      ...this.with_textures(uniforms),
      shape: {value: new NumberTexture(places).texture},
      shape_corners: {value: corners},
    });
  }
  /** The columns of A are a, b, c times the three factors, from nine numbers. */
  place(n: number, A: ArrayLike<number>, sx: number, sy: number, sz: number, x: number, y: number, z: number) {
    const {data} = this;
    const at = 16 * n;
    for (let i = 0; i < 3; ++i) {
      data[at + 4 * i] = A[i] * sx;
      data[at + 4 * i + 1] = A[3 + i] * sy;
      data[at + 4 * i + 2] = A[6 + i] * sz;
    }
    data[at + 3] = x;
    data[at + 7] = y;
    data[at + 11] = z;
    data[at + 12] = 1;
    data[at + 13] = 0;
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
          for (let i = 0; i < 3; ++i) n[i] += (a[(i + 1) % 3] - b[(i + 1) % 3]) * (a[(i + 2) % 3] + b[(i + 2) % 3]);
        });
        const size = Math.hypot(n[0], n[1], n[2]) || 1;
        fan(
          corners,
          n.map((x) => x / size),
          (c, ns, sides) => {
            for (let k = 0; k < 3; ++k) {
              position.push(...c[k]);
              normal.push(...ns[k]);
              for (let side = 0; side < 3; ++side) edge.push(sides[side] && k !== side ? 0 : 1);
              owner.push(part);
            }
          },
        );
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
    this.maps = new Float32Array(NumberTexture.room(16 * parts.length));
    this.texture = new NumberTexture(this.maps).texture;
    this.drawing = drawing(geometry, shaders.polygon_vertex, shaders.surface_fragment, {
      ...uniforms,
      maps: {value: this.texture},
    });
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
