// Grains as spheres or discs: one quad each that faces the eye and covers the silhouette exactly; the fragment shader
// casts its ray at the true sphere, writes the true depth, and cuts the sphere open at the clip plane. So a million
// grains are four million vertices, and every sphere is round at any distance.
//
// Rejected: instanced meshes (hundreds of triangles per grain) and point sprites (they vanish when their center leaves
// the picture, and drivers limit their size).
import * as THREE from 'three';
import { COLOR_OF, LIGHT, type SharedUniforms } from './shading';

const VERTEX = /* glsl */ `
precision highp float;
in vec2 corner;
in vec3 center;
in float radius;
in float value;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float orthographic, picking, pixel;
uniform int selected;
${COLOR_OF}
flat out vec4 tint;       // a: 1 for the selected grain
flat out vec4 ball;       // center and radius, in view space
out vec3 through;         // point of the quad
out vec2 place;
void main() {
  vec3 c = (modelViewMatrix * vec4(center, 1.0)).xyz;
  ball = vec4(c, radius);
  tint = picking > 0.5 ? row_color(gl_InstanceID) : vec4(color_of(value), gl_InstanceID == selected ? 1.0 : 0.0);
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
in vec3 through;
in vec2 place;
uniform mat4 projectionMatrix;
uniform vec4 clip;
uniform float orthographic, picking, opacity, pixel;
out vec4 result;
${LIGHT}
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
  vec3 color = lit(tint.rgb, normal, -ray);
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

export class Grains {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  readonly material: THREE.RawShaderMaterial;
  private capacity = 0;
  private center!: THREE.InstancedBufferAttribute;
  private radius!: THREE.InstancedBufferAttribute;
  private value!: THREE.InstancedBufferAttribute;

  constructor(uniforms: SharedUniforms, private readonly dimension: number, multisampled: boolean) {
    this.geometry.setAttribute('corner', new THREE.BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.grow(1);
    const smooth = dimension === 3 && multisampled;
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: VERTEX,
      fragmentShader: dimension === 2 ? FRAGMENT_2D : FRAGMENT_3D,
      // Discs are drawn a little larger, for the smooth edge.
      defines: { FLARE: dimension === 2 ? '1.04' : '1.0', ...(smooth ? { SMOOTH_EDGE: '' } : {}) },
      uniforms,
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
    this.capacity = Math.max(count, Math.ceil(1.2 * this.capacity));
    const attribute = (name: string, width: number) => {
      const made = new THREE.InstancedBufferAttribute(new Float32Array(this.capacity * width), width);
      made.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, made);
      return made;
    };
    this.geometry.dispose(); // the buffers of the old size
    this.center = attribute('center', 3);
    this.radius = attribute('radius', 1);
    this.value = attribute('value', 1);
  }

  get count(): number {
    return this.geometry.instanceCount;
  }

  set(positions: ArrayLike<number>, radii: ArrayLike<number>, values: ArrayLike<number>): void {
    const count = radii.length;
    if (count > this.capacity) this.grow(count);
    const put = (attribute: THREE.InstancedBufferAttribute, numbers: ArrayLike<number>) => {
      (attribute.array as Float32Array).set(numbers);
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, numbers.length);
      attribute.needsUpdate = true;
    };
    put(this.center, positions);
    put(this.radius, radii);
    put(this.value, values);
    this.geometry.instanceCount = count;
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

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}
