// Grains of other shapes: the mesh of each shape (shapes/NAME.stl of the run), drawn once for every grain that has it, at
// its place, orientation and scale.
import * as THREE from 'three';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { mergeVertices, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { COLOR_OF, LIGHT, type SharedUniforms } from './shading';

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
in vec3 position, normal;
in vec3 center;
in vec4 turn;             // unit quaternion w, x, y, z
in float size, value, row;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float picking;
uniform int selected;
${COLOR_OF}
out vec3 normal_in_view, position_in_view;
flat out vec4 tint;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v); }
void main() {
  vec4 place = modelViewMatrix * vec4(center + size * turned(position), 1.0);
  normal_in_view = (modelViewMatrix * vec4(turned(normal), 0.0)).xyz;
  position_in_view = place.xyz;
  int which = int(row);
  tint = picking > 0.5 ? row_color(which) : vec4(color_of(value), which == selected ? 1.0 : 0.0);
  gl_Position = projectionMatrix * place;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 normal_in_view, position_in_view;
flat in vec4 tint;
uniform vec4 clip;
uniform float orthographic, picking, opacity;
out vec4 result;
${LIGHT}
void main() {
  if (dot(clip.xyz, position_in_view) + clip.w < 0.0) discard;
  if (picking > 0.5) { result = tint; return; }
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-position_in_view);
  vec3 normal = normalize(normal_in_view);
  if (!gl_FrontFacing) normal = -normal;
  vec3 color = lit(tint.rgb, normal, to_eye);
  float rim = 1.0 - abs(dot(normal, to_eye));
  if (tint.a > 0.5) color = mix(color, vec3(1.0, 0.95, 0.75), 0.25 + 0.5 * rim);
  result = vec4(color, tint.a > 0.5 ? 1.0 : opacity < 1.0 ? opacity * (0.45 + 1.3 * rim) : 1.0);
}`;

export class Shape {
  readonly mesh: THREE.Mesh;
  readonly material: THREE.RawShaderMaterial;
  private geometry = new THREE.InstancedBufferGeometry();
  private readonly body: THREE.BufferGeometry;
  private shown = true;

  constructor(stl: ArrayBuffer, uniforms: SharedUniforms) {
    // Faces that meet at less than 25 degrees are parts of something round.
    this.body = mergeVertices(toCreasedNormals(new STLLoader().parse(stl), (25 * Math.PI) / 180));
    this.material = new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  set(rows: number[], positions: ArrayLike<number>, turns: ArrayLike<number>, sizes: ArrayLike<number> | undefined, values: ArrayLike<number>): void {
    this.geometry.dispose();
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.index = this.body.index;
    this.geometry.setAttribute('position', this.body.getAttribute('position'));
    this.geometry.setAttribute('normal', this.body.getAttribute('normal'));
    const gather = (name: string, width: number, from: (row: number, c: number) => number) => {
      const out = new Float32Array(rows.length * width);
      rows.forEach((row, k) => { for (let c = 0; c < width; ++c) out[k * width + c] = from(row, c); });
      this.geometry.setAttribute(name, new THREE.InstancedBufferAttribute(out, width));
    };
    gather('center', 3, (row, c) => positions[3 * row + c]!);
    gather('turn', 4, (row, c) => turns[4 * row + c]!);
    gather('size', 1, (row) => sizes?.[row] ?? 1);
    gather('value', 1, (row) => values[row]!);
    gather('row', 1, (row) => row);
    this.geometry.instanceCount = rows.length;
    this.mesh.geometry = this.geometry;
    this.mesh.visible = this.shown && rows.length > 0;
  }

  show(on: boolean): void {
    this.shown = on;
    this.mesh.visible = on && this.geometry.instanceCount > 0;
  }

  fade(opacity: number): void {
    this.material.transparent = opacity < 1;
    this.material.depthWrite = opacity >= 1;
    this.mesh.renderOrder = opacity < 1 ? 3 : 1;
  }
}
