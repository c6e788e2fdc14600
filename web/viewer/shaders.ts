// How bodies become pixels. Lengths are in world axes; all colours are as the screen has them.
//
// A sphere, or an ellipsoid x = c + A y with |y| = 1, is a triangle that faces the eye; each of its pixels finds the point where the ray
// meets the surface, so that the outline is exact at any size and three corners are enough. Its depth is that of the point.
// Normals go with A⁻ᵀ, which is right under shear. Instances are numbers in textures, found by the number of the corner: one plain draw call, which
// is as fast in software, where instanced drawing takes its time for each instance. A section plane n·x > d cuts away; what was cut is closed by the plane.

const common = /* glsl */ `
precision highp float;
uniform mat4 projectionMatrix;
uniform mat4 viewMatrix;
uniform vec4 section;     // n, d; n = 0: none
uniform float orthographic;
`;

const lighting = /* glsl */ `
uniform vec3 up_in_view;
uniform vec3 ground;      // colour behind everything
uniform vec2 haze;        // nearest and farthest distance
uniform float opacity;
uniform float depth_only; // 1: nothing but depths is wanted
layout(location = 0) out vec4 pixel;

uniform float sieve;      // below 1: only this share of the pixels is drawn, in a pattern of four by four
const float levels[16] = float[](0.0, 8.0, 2.0, 10.0, 12.0, 4.0, 14.0, 6.0, 3.0, 11.0, 1.0, 9.0, 15.0, 7.0, 13.0, 5.0);
bool sifted() {
  ivec2 at = ivec2(gl_FragCoord.xy) & 3;
  return sieve < 0.999 && (levels[4 * at.y + at.x] + 0.5) / 16.0 > sieve;
}

bool cut(vec3 world) { return dot(section.xyz, world) > section.w; }

vec4 lit(vec4 colour, vec3 normal, vec3 place) {
  vec3 n = normalize(normal);
  const vec3 light = vec3(-0.4356, 0.5324, 0.7260);
  float sky = 0.5 + 0.5 * dot(n, up_in_view);
  float sun = max(dot(n, light), 0.0);
  float shine = max(dot(n, vec3(-0.2344, 0.2866, 0.9289)), 0.0);
  shine *= shine;
  shine *= shine;
  shine *= shine;
  shine *= shine * shine * shine;
  vec3 shaded = colour.rgb * (0.36 + 0.26 * sky + 0.46 * sun) + 0.08 * shine;
  float far = clamp((-place.z - haze.x) / max(haze.y - haze.x, 1e-30), 0.0, 1.0);
  return vec4(mix(shaded, ground, 0.38 * far * far), colour.a * opacity);
}
`;

const depth_of = /* glsl */ `
float depth_of(vec3 place) {
  float z = projectionMatrix[2][2] * place.z + projectionMatrix[3][2];
  return 0.5 + 0.5 * (orthographic > 0.5 ? z : -z / place.z);
}
`;

/** Numbers of instance k: `width` places each in `numbers`, colour and label in `shades`. */
const fetching = /* glsl */ `
uniform sampler2D numbers;
uniform sampler2D shades;
vec4 fetch(sampler2D from, int at) {
  int width = textureSize(from, 0).x;
  return texelFetch(from, ivec2(at % width, at / width), 0);
}
// About the unit circle.
const vec2 about[3] = vec2[](vec2(0.0, 2.0), vec2(-1.7320509, -1.0), vec2(1.7320509, -1.0));
const vec2 corners[4] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));
`;

/** Triangles that hold a ball of the given radius about a centre, seen from the eye. */
const facing = /* glsl */ `
vec3 corner_of(vec3 c, float r, vec2 corner) {
  if (orthographic > 0.5) return c + r * vec3(corner, 1.0);
  float d = length(c);
  // They touch the outline, a circle of half angle asin(r/d), where it is cut by the plane through the centre.
  vec3 w = c / d;
  vec3 u = normalize(abs(w.y) < 0.99 ? cross(w, vec3(0.0, 1.0, 0.0)) : cross(w, vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(u, w);
  float size = d > 1.02 * r ? r * d / sqrt(d * d - r * r) : 5.0 * r;
  return c + size * (corner.x * u + corner.y * v);
}
`;

/** Two places an instance: centre and radius; unit quaternion w, x, y, z. */
export const sphere_vertex = /* glsl */ `${common}
out vec3 ray_to;
flat out vec4 shade;
flat out vec4 ball;
flat out vec4 turned;
flat out vec4 picked;
${fetching}
${facing}
void main() {
  int k = gl_VertexID / 3;
  vec4 given = fetch(numbers, 2 * k);
  float radius = given.w;
  vec3 c = (viewMatrix * vec4(given.xyz, 1.0)).xyz;
  vec3 place = corner_of(c, radius, about[gl_VertexID % 3]);
  ray_to = place;
  shade = fetch(shades, 2 * k);
  ball = vec4(c, radius);
  turned = fetch(numbers, 2 * k + 1);
  picked = fetch(shades, 2 * k + 1);
  gl_Position = projectionMatrix * vec4(place, 1.0);
  if (radius <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const sphere_fragment = /* glsl */ `${common}
in vec3 ray_to;
flat in vec4 shade;
flat in vec4 ball;
flat in vec4 turned;
flat in vec4 picked;
uniform mat4 camera_matrix;
uniform float marked;     // 1: a darker half shows how the ball turns
${lighting}
${depth_of}
void main() {
  if (sifted()) discard;
  vec3 o = orthographic > 0.5 ? vec3(ray_to.xy, 0.0) : vec3(0.0);
  vec3 d = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(ray_to);
  vec3 oc = o - ball.xyz;
  float b = dot(oc, d);
  float h = ball.w * ball.w - (dot(oc, oc) - b * b);
  if (h < 0.0) discard;
  float root = sqrt(h);
  float t = -b - root;
  vec3 place = o + t * d;
  vec3 normal = (place - ball.xyz) / ball.w;
  vec4 colour = shade;
  if (dot(section.xyz, section.xyz) > 0.0) {
    vec3 world = (camera_matrix * vec4(place, 1.0)).xyz;
    if (cut(world)) {
      // Where the ray meets the plane inside the ball.
      vec3 n = (viewMatrix * vec4(section.xyz, 0.0)).xyz;
      vec3 eye = (camera_matrix * vec4(o, 1.0)).xyz;
      float s = (section.w - dot(section.xyz, eye)) / dot(n, d);
      if (s < t || s > -b + root) discard;
      place = o + s * d;
      normal = n;
      colour.rgb *= 0.8;
    }
  }
  if (marked > 0.5) {
    vec3 m = (camera_matrix * vec4(normal, 0.0)).xyz;
    vec3 q = -turned.yzw;
    m += 2.0 * cross(q, cross(q, m) + turned.x * m);
    if (m.z * m.x > 0.0) colour.rgb *= 0.78;
  }
  gl_FragDepth = depth_of(place);
#ifdef PICK
  pixel = picked;
#else
  pixel = depth_only > 0.5 ? vec4(0.0) : lit(colour, normal, place);
#endif
}`;

/** Four places an instance: the rows (A, c); then s, l and the radius of a ball that holds it. */
export const ellipsoid_vertex = /* glsl */ `${common}
out vec3 ray_to;
flat out vec4 shade;
flat out vec3 middle;
flat out mat3 inverse_map;   // A⁻¹ in view axes
flat out vec4 picked;
${fetching}
${facing}
void main() {
  int k = gl_VertexID / 3;
  vec4 first = fetch(numbers, 4 * k);
  vec4 second = fetch(numbers, 4 * k + 1);
  vec4 third = fetch(numbers, 4 * k + 2);
  float radius = fetch(numbers, 4 * k + 3).z;
  middle = (viewMatrix * vec4(first.w, second.w, third.w, 1.0)).xyz;
  vec3 place = corner_of(middle, radius, about[gl_VertexID % 3]);
  ray_to = place;
  shade = fetch(shades, 2 * k);
  picked = fetch(shades, 2 * k + 1);
  inverse_map = inverse(mat3(viewMatrix) * transpose(mat3(first.xyz, second.xyz, third.xyz)));
  gl_Position = projectionMatrix * vec4(place, 1.0);
  if (radius <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const ellipsoid_fragment = /* glsl */ `${common}
in vec3 ray_to;
flat in vec4 shade;
flat in vec3 middle;
flat in mat3 inverse_map;
flat in vec4 picked;
uniform mat4 camera_matrix;
uniform float marked;
${lighting}
${depth_of}
void main() {
  if (sifted()) discard;
  vec3 o = orthographic > 0.5 ? vec3(ray_to.xy, 0.0) : vec3(0.0);
  vec3 d = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(ray_to);
  vec3 p = inverse_map * (o - middle);
  vec3 e = inverse_map * d;
  float a = dot(e, e);
  float b = dot(p, e);
  float h = b * b - a * (dot(p, p) - 1.0);
  if (h < 0.0) discard;
  float root = sqrt(h);
  float t = (-b - root) / a;
  vec3 place = o + t * d;
  vec3 inner = p + t * e;
  vec3 normal = transpose(inverse_map) * inner;
  vec4 colour = shade;
  if (dot(section.xyz, section.xyz) > 0.0) {
    vec3 world = (camera_matrix * vec4(place, 1.0)).xyz;
    if (cut(world)) {
      vec3 n = (viewMatrix * vec4(section.xyz, 0.0)).xyz;
      vec3 eye = (camera_matrix * vec4(o, 1.0)).xyz;
      float s = (section.w - dot(section.xyz, eye)) / dot(n, d);
      if (s < t || s > (-b + root) / a) discard;
      place = o + s * d;
      normal = n;
      colour.rgb *= 0.8;
    }
  }
  if (marked > 0.5 && inner.x * inner.z > 0.0) colour.rgb *= 0.78;
  gl_FragDepth = depth_of(place);
#ifdef PICK
  pixel = picked;
#else
  pixel = depth_only > 0.5 ? vec4(0.0) : lit(colour, normal, place);
#endif
}`;

const surface_outputs = /* glsl */ `
out vec3 place;
out vec3 world;
out vec3 normal_in_view;
out vec3 rim;
flat out vec4 shade;
flat out vec4 picked;
`;

/**
 * A unit shape under x = c + A (s y + e l z): s and l are 1 and 0 but for capsules, whose halves (e = ±1) move apart by l. Numbers as for
 * ellipsoids; the corners of the shape are in a texture too, three places each: position and e, normal, distances to drawn edges.
 */
export const solid_vertex = /* glsl */ `${common}
uniform sampler2D shape;
uniform int shape_corners;
${fetching}
${surface_outputs}
void main() {
  int k = gl_VertexID / shape_corners;
  int corner = gl_VertexID % shape_corners;
  vec4 position = fetch(shape, 3 * corner);
  vec3 normal = fetch(shape, 3 * corner + 1).xyz;
  vec4 first = fetch(numbers, 4 * k);
  vec4 second = fetch(numbers, 4 * k + 1);
  vec4 third = fetch(numbers, 4 * k + 2);
  vec2 stretch = fetch(numbers, 4 * k + 3).xy;
  mat3 A = transpose(mat3(first.xyz, second.xyz, third.xyz));
  vec3 y = stretch.x * position.xyz + vec3(0.0, 0.0, position.w * stretch.y);
  world = vec3(first.w, second.w, third.w) + A * y;
  // A⁻ᵀ n det A: right under stretch and shear.
  vec3 n = mat3(cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])) * normal;
  normal_in_view = mat3(viewMatrix) * n;
  place = (viewMatrix * vec4(world, 1.0)).xyz;
  rim = fetch(shape, 3 * corner + 2).xyz;
  shade = fetch(shades, 2 * k);
  picked = fetch(shades, 2 * k + 1);
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

/** A round link between two points, as a strip that faces the eye and is lit like a cylinder. Two places: point and radius, the other point. */
export const link_vertex = /* glsl */ `${common}
out vec3 place;
out vec3 world;
out float across;
flat out vec3 sideways;
flat out vec4 shade;
flat out vec4 picked;
${fetching}
void main() {
  int k = gl_VertexID / 4;
  vec2 corner = corners[gl_VertexID % 4];
  vec4 first = fetch(numbers, 2 * k);
  vec3 second = fetch(numbers, 2 * k + 1).xyz;
  vec3 a = (viewMatrix * vec4(first.xyz, 1.0)).xyz;
  vec3 b = (viewMatrix * vec4(second, 1.0)).xyz;
  vec3 end = corner.y > 0.0 ? b : a;
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : -normalize(end);
  sideways = normalize(cross(b - a, to_eye) + vec3(1e-12, 0.0, 0.0));
  across = corner.x;
  place = end + first.w * corner.x * sideways;
  world = mix(first.xyz, second, 0.5 + 0.5 * corner.y);
  shade = fetch(shades, 2 * k);
  picked = fetch(shades, 2 * k + 1);
  gl_Position = projectionMatrix * vec4(place, 1.0);
}`;

export const link_fragment = /* glsl */ `${common}
in vec3 place;
in vec3 world;
in float across;
flat in vec3 sideways;
flat in vec4 shade;
flat in vec4 picked;
${lighting}
void main() {
  if (dot(section.xyz, section.xyz) > 0.0 && cut(world)) discard;
#ifdef PICK
  pixel = picked;
#else
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : -normalize(place);
  pixel = lit(shade, across * sideways + sqrt(max(0.0, 1.0 - across * across)) * to_eye, place);
#endif
}`;

/** Polygons of many bodies in one buffer; the map of each is in a texture, four places a part: (A, c) by rows, then the colour. */
export const polygon_vertex = /* glsl */ `${common}
in vec3 position;
in vec3 normal;
in vec3 edge;
in float part;
in vec4 label;
uniform sampler2D maps;
${surface_outputs}
void main() {
  int at = 4 * int(part);
  int width = textureSize(maps, 0).x;
  vec4 first = texelFetch(maps, ivec2(at % width, at / width), 0);
  vec4 second = texelFetch(maps, ivec2((at + 1) % width, (at + 1) / width), 0);
  vec4 third = texelFetch(maps, ivec2((at + 2) % width, (at + 2) / width), 0);
  shade = texelFetch(maps, ivec2((at + 3) % width, (at + 3) / width), 0);
  mat3 A = transpose(mat3(first.xyz, second.xyz, third.xyz));
  world = A * position + vec3(first.w, second.w, third.w);
  vec3 n = mat3(cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])) * normal;
  normal_in_view = mat3(viewMatrix) * n;
  place = (viewMatrix * vec4(world, 1.0)).xyz;
  rim = edge;
  picked = label;
  gl_Position = projectionMatrix * vec4(place, 1.0);
  if (shade.a <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

/** Bodies with vertices of their own: each vertex has its place and its colour. */
export const skin_vertex = /* glsl */ `${common}
in vec3 position;
in vec4 colour;
in vec4 label;
out vec3 place;
out vec3 world;
out vec4 shade_of_vertex;
flat out vec4 picked;
void main() {
  world = position;
  place = (viewMatrix * vec4(world, 1.0)).xyz;
  shade_of_vertex = colour;
  picked = label;
  gl_Position = projectionMatrix * vec4(place, 1.0);
  if (colour.a <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

export const surface_fragment = /* glsl */ `${common}
in vec3 place;
in vec3 world;
#ifdef SKIN
in vec4 shade_of_vertex;
#else
in vec3 normal_in_view;
in vec3 rim;
flat in vec4 shade;
#endif
flat in vec4 picked;
uniform float edges;      // how dark edges are drawn
${lighting}
void main() {
  if (sifted()) discard;
  if (dot(section.xyz, section.xyz) > 0.0 && cut(world)) discard;
#ifdef PICK
  pixel = picked;
#else
#ifdef SKIN
  vec4 colour = shade_of_vertex;
  vec3 normal = cross(dFdx(place), dFdy(place));
#else
  vec4 colour = shade;
  vec3 normal = normal_in_view;
#endif
  // Behind a cut the inner side is seen: it stands for the face of the cut.
  if (dot(section.xyz, section.xyz) > 0.0 && !gl_FrontFacing) {
    normal = (viewMatrix * vec4(section.xyz, 0.0)).xyz;
    colour.rgb *= 0.8;
  } else if (!gl_FrontFacing) {
    normal = -normal;
  }
  vec4 result = lit(colour, normal, place);
#ifndef SKIN
  vec3 across = rim / max(fwidth(rim), vec3(1e-20));
  float near = min(across.x, min(across.y, across.z));
  float line = (1.0 - smoothstep(0.6, 1.5, near)) * edges;
  result.rgb = mix(result.rgb, result.rgb * 0.35, line);
  result.a = mix(result.a, min(1.0, result.a + 0.45), line);
#endif
  pixel = result;
#endif
}`;
