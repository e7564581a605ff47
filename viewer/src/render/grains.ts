// Grains as spheres or discs: one quad each that faces the eye and covers the silhouette exactly; the fragment shader
// casts its ray at the true sphere, writes the true depth, and cuts the sphere open at the clip plane. So a million
// grains are six million vertices, and every sphere is round at any distance. Grains lie in textures, from which the
// vertices fetch theirs by number.
//
// Rejected: instances (of two triangles each they are slow on many cards, and take 40 µs apiece when drawn by software),
// one triangle around each silhouette (half of the vertices, but more rays that miss, which costs more),
// meshes (hundreds of triangles per grain), point sprites (they vanish when their center leaves the picture, and drivers
// limit their size).
import * as THREE from 'three';
import type { Surroundings } from '../data/fields';
import { COLOR_OF, LIGHT, SKY, type SharedUniforms } from './shading';

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D balls, values; // center and radius; value to color by
uniform sampler2D shades;        // direction to open space, and how crowded it is
uniform float ambient;           // how much of that is shown
uniform int stride;              // every so many-th grain is drawn
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float orthographic, picking, pixel;
uniform int selected;
${COLOR_OF}
flat out vec4 tint;       // a: 1 for the selected grain
flat out vec4 ball;       // center and radius, in view space
flat out vec4 shade;      // direction to open space, in view space; how crowded it is
out vec3 through;         // point of the quad
out vec2 place;
const vec2 corners[6] = vec2[6](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));
void main() {
  int row = gl_VertexID / 6 * stride;
  vec2 corner = corners[gl_VertexID % 6];
  ivec2 texel = ivec2(row % COLUMNS, row / COLUMNS);
  vec4 grain = texelFetch(balls, texel, 0);
  vec3 center = grain.xyz;
  float radius = grain.w;
  vec3 c = (modelViewMatrix * vec4(center, 1.0)).xyz;
  ball = vec4(c, radius);
  shade = vec4(0.0);
  if (ambient > 0.0) {
    vec4 around = texelFetch(shades, texel, 0);
    shade = ambient * vec4((modelViewMatrix * vec4(around.xyz, 0.0)).xyz, around.w);
  }
  tint = picking > 0.5 ? row_color(row) : vec4(color_of(texelFetch(values, texel, 0).r), row == selected ? 1.0 : 0.0);
  place = corner;
  float reach = radius;
  vec3 right = vec3(1.0, 0.0, 0.0), up = vec3(0.0, 1.0, 0.0);
  if (orthographic < 0.5) {
    // The plane through the center across the line of sight, where the cone of sight is r d / sqrt(d² - r²) wide.
    float d2 = dot(c, c), gap = d2 - radius * radius;
    if (gap <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    reach = radius * sqrt(d2 / gap);
    vec3 sight = c * inversesqrt(d2);
    right = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    up = cross(right, sight);
  }
  through = c + (corner.x * right + corner.y * up) * reach * FLARE;
  gl_Position = projectionMatrix * vec4(through, 1.0);
}`;

const FRAGMENT_3D = /* glsl */ `
precision highp float;
flat in vec4 tint;
flat in vec4 ball;
flat in vec4 shade;
in vec3 through;
in vec2 place;
uniform mat4 projectionMatrix;
uniform vec4 clip;
uniform float orthographic, picking, opacity, pixel;
out vec4 result;
${LIGHT}
${SKY}
void main() {
  vec3 origin = orthographic > 0.5 ? vec3(through.xy, 0.0) : vec3(0.0);
  vec3 ray = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(through);
  vec3 to_center = ball.xyz - origin;
  float along = dot(to_center, ray);
  vec3 across = to_center - along * ray;
  float inside = ball.w * ball.w - dot(across, across);
  if (inside < 0.0) discard;
  float half_chord = sqrt(inside);
  float t = along - half_chord;
  vec3 hit = origin + t * ray;
  vec3 normal = (hit - ball.xyz) / ball.w;
  bool cut = false;
  if (dot(clip.xyz, hit) + clip.w < 0.0) {
    // The near side is cut away: what shows is the flat section, if the ray meets it within the sphere.
    float fall = dot(clip.xyz, ray);
    t = -(clip.w + dot(clip.xyz, origin)) / fall;
    if (fall <= 0.0 || t > along + half_chord) discard;
    hit = origin + t * ray;
    normal = -clip.xyz;
    cut = true;
  }
  if (t <= 0.0) discard;
  vec4 position = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * position.z / position.w + 0.5;
  if (picking > 0.5) { result = tint; return; }
  vec3 color = lit(tint.rgb, normal, -ray) * sky(normal, shade);
  if (cut) color = mix(color, vec3(0.92), 0.25);
  float rim = 1.0 - half_chord / ball.w;
  // A thin line around what is large enough, so that equal colors stay apart.
  float pixels = ball.w / (pixel * (orthographic > 0.5 ? 1.0 : max(along, 1e-12)));
  color *= 1.0 - 0.45 * smoothstep(0.72, 1.0, rim) * smoothstep(3.0, 8.0, pixels);
  if (tint.a > 0.5) color = mix(color, vec3(1.0, 0.95, 0.75), 0.25 + 0.65 * smoothstep(0.35, 0.8, rim));
  float cover = tint.a > 0.5 ? 1.0 : opacity < 1.0 ? opacity * (0.45 + 1.3 * rim) : 1.0;
#ifdef SMOOTH_EDGE
  if (opacity >= 1.0) cover = clamp(inside / (2.0 * ball.w * ball.w) * pixels + 0.1, 0.0, 1.0);
#endif
  result = vec4(color, cover);
}`;

const FRAGMENT_2D = /* glsl */ `
precision highp float;
flat in vec4 tint;
flat in vec4 ball;
in vec3 through;
in vec2 place;
uniform vec4 clip;
uniform float picking, opacity, pixel;
out vec4 result;
void main() {
  float distance = length(place) * FLARE;
  float edge = pixel / ball.w;
  if (distance > 1.0 + 0.5 * edge || dot(clip.xyz, through) + clip.w < 0.0) discard;
  if (picking > 0.5) { result = tint; return; }
  vec3 color = tint.rgb * (1.04 - 0.16 * distance * distance);
  float line = smoothstep(1.0 - max(0.1, edge), 1.0 - 0.5 * max(0.1, edge), distance) * smoothstep(2.0, 5.0, 1.0 / edge);
  color *= 1.0 - 0.5 * line;
  if (tint.a > 0.5) color = mix(color, vec3(1.0, 0.95, 0.75), 0.2 + 0.8 * smoothstep(0.7, 0.8, distance));
  float cover = 1.0 - smoothstep(1.0 - 0.5 * edge, 1.0 + 0.5 * edge, distance);
  result = vec4(color, cover * (tint.a > 0.5 ? 1.0 : opacity));
}`;

const COLUMNS = 2048; // of the textures

export class Grains {
  readonly mesh: THREE.Mesh;
  readonly material: THREE.RawShaderMaterial;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly balls: THREE.IUniform<THREE.DataTexture>;
  private readonly values: THREE.IUniform<THREE.DataTexture>;
  private readonly shades: THREE.IUniform<THREE.DataTexture>;
  private readonly ambient: THREE.IUniform<number> = { value: 0 };
  private readonly stride: THREE.IUniform<number> = { value: 1 };
  private count = 0;
  private rows = 0; // of the textures

  constructor(uniforms: SharedUniforms, private readonly dimension: number, multisampled: boolean) {
    this.balls = { value: new THREE.DataTexture() };
    this.values = { value: new THREE.DataTexture() };
    this.shades = { value: new THREE.DataTexture() };
    this.grow(1);
    const smooth = dimension === 3 && multisampled;
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: VERTEX,
      fragmentShader: dimension === 2 ? FRAGMENT_2D : FRAGMENT_3D,
      // Discs are drawn a little larger, for the smooth edge.
      defines: { COLUMNS: String(COLUMNS), FLARE: dimension === 2 ? '1.04' : '1.0', ...(smooth ? { SMOOTH_EDGE: '' } : {}) },
      uniforms: { ...uniforms, balls: this.balls, values: this.values, shades: this.shades, ambient: this.ambient, stride: this.stride },
      transparent: dimension === 2,
      depthTest: dimension === 3,
      depthWrite: dimension === 3,
    });
    this.material.alphaToCoverage = smooth;
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  private grow(count: number): void {
    this.rows = Math.max(Math.ceil(count / COLUMNS), Math.ceil(1.2 * this.rows));
    const texture = (format: THREE.PixelFormat, width: number) => new THREE.DataTexture(new Float32Array(this.rows * COLUMNS * width), COLUMNS, this.rows, format, THREE.FloatType);
    this.balls.value.dispose();
    this.values.value.dispose();
    this.shades.value.dispose();
    this.balls.value = texture(THREE.RGBAFormat, 4);
    this.values.value = texture(THREE.RedFormat, 1);
    this.shades.value = texture(THREE.RGBAFormat, 4);
  }

  set(positions: ArrayLike<number>, radii: ArrayLike<number>, values: ArrayLike<number>): void {
    const count = radii.length;
    if (count > this.rows * COLUMNS) this.grow(count);
    const balls = this.balls.value.image.data as Float32Array;
    for (let k = 0; k < count; ++k) {
      balls[4 * k] = positions[3 * k]!;
      balls[4 * k + 1] = positions[3 * k + 1]!;
      balls[4 * k + 2] = positions[3 * k + 2]!;
      balls[4 * k + 3] = radii[k]!;
    }
    (this.values.value.image.data as Float32Array).set(values);
    this.balls.value.needsUpdate = this.values.value.needsUpdate = true;
    this.count = count;
    this.thin(this.stride.value);
  }

  // Grains among others get less light from the sides where those are; null: all get the same.
  shadeBy(around: Surroundings | null): void {
    this.ambient.value = around ? 1 : 0;
    if (!around) return;
    const shades = this.shades.value.image.data as Float32Array;
    for (let k = 0; k < around.density.length; ++k) {
      shades.set(around.open.subarray(3 * k, 3 * k + 3), 4 * k);
      shades[4 * k + 3] = Math.min(1, around.density[k]! / 0.6);
    }
    this.shades.value.needsUpdate = true;
  }

  // Every so many-th grain only, for pictures in a hurry.
  thin(stride: number): void {
    this.stride.value = stride;
    this.geometry.setDrawRange(0, 6 * Math.ceil(this.count / stride));
  }

  // Faded grains let the chains behind them show: unsorted blending is near enough for that.
  fade(opacity: number): void {
    if (this.dimension === 2) return;
    const faded = opacity < 1;
    if (this.material.transparent === faded) return;
    this.material.transparent = faded;
    this.material.depthWrite = !faded;
    this.mesh.renderOrder = faded ? 3 : 1;
  }
}
