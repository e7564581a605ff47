// Grains of other shapes: the mesh of each shape (shapes/NAME.stl of the run), drawn once for every grain that has it, at
// its place, orientation and scale.
import * as THREE from 'three';
import type { Surroundings } from '../data/fields';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { COLOR_OF, LIGHT, SKY, type SharedUniforms } from './shading';

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
in vec3 position, normal;
in vec3 center;
in vec4 turn;             // unit quaternion w, x, y, z
in vec4 around;           // direction to open space, how crowded it is
in float size, value, row;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float picking;
uniform int selected;
${COLOR_OF}
out vec3 normal_in_view, position_in_view;
flat out vec4 tint, shade;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v); }
void main() {
  vec4 place = modelViewMatrix * vec4(center + size * turned(position), 1.0);
  normal_in_view = (modelViewMatrix * vec4(turned(normal), 0.0)).xyz;
  position_in_view = place.xyz;
  shade = vec4((modelViewMatrix * vec4(around.xyz, 0.0)).xyz, around.w);
  int which = int(row);
  tint = picking > 0.5 ? row_color(which) : vec4(color_of(value), which == selected ? 1.0 : 0.0);
  gl_Position = projectionMatrix * place;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 normal_in_view, position_in_view;
flat in vec4 tint, shade;
uniform vec4 clip;
uniform float orthographic, picking, opacity;
out vec4 result;
${LIGHT}
${SKY}
void main() {
  if (dot(clip.xyz, position_in_view) + clip.w < 0.0) discard;
  if (picking > 0.5) { result = tint; return; }
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-position_in_view);
  vec3 normal = normalize(normal_in_view);
  if (!gl_FrontFacing) normal = -normal;
  vec3 color = lit(tint.rgb, normal, to_eye) * sky(normal, shade);
  float rim = 1.0 - abs(dot(normal, to_eye));
  if (tint.a > 0.5) color = mix(color, vec3(1.0, 0.95, 0.75), 0.25 + 0.5 * rim);
  result = vec4(color, tint.a > 0.5 ? 1.0 : opacity < 1.0 ? opacity * (0.45 + 1.3 * rim) : 1.0);
}`;

// Normals of each corner: of the faces around it that turn by less than 50 degrees from this one, by their areas. So
// what is round looks round however coarse its mesh, large flat faces stay flat, and sharp edges sharp.
const SMOOTH = Math.cos((50 * Math.PI) / 180);

export function smoothed(mesh: THREE.BufferGeometry): THREE.BufferGeometry {
  const points = mesh.getAttribute('position').array;
  const faces = points.length / 9;
  const across = new Float32Array(3 * faces); // twice the area long
  const around = new Map<string, number[]>();
  mesh.computeBoundingSphere();
  const grain = 1e-5 * (mesh.boundingSphere?.radius || 1);
  const place = (corner: number) => [0, 1, 2].map((c) => Math.round(points[3 * corner + c]! / grain)).join();
  const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
  const p = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()] as const;
  for (let face = 0; face < faces; ++face) {
    p.forEach((corner, k) => corner.fromArray(points, 9 * face + 3 * k));
    a.subVectors(p[1], p[0]).cross(b.subVectors(p[2], p[0])).toArray(across, 3 * face);
    for (let k = 0; k < 3; ++k) {
      const key = place(3 * face + k);
      const list = around.get(key);
      if (list) list.push(face);
      else around.set(key, [face]);
    }
  }
  const normals = new Float32Array(points.length);
  const own = new THREE.Vector3();
  const sum = new THREE.Vector3();
  for (let face = 0; face < faces; ++face) {
    own.fromArray(across, 3 * face).normalize();
    for (let k = 0; k < 3; ++k) {
      sum.set(0, 0, 0);
      for (const other of around.get(place(3 * face + k))!) {
        a.fromArray(across, 3 * other);
        if (a.dot(own) > SMOOTH * a.length()) sum.add(a);
      }
      (sum.lengthSq() > 0 ? sum.normalize() : own).toArray(normals, 9 * face + 3 * k);
    }
  }
  const out = new THREE.BufferGeometry();
  out.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(points), 3));
  out.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
  return out;
}

export class Shape {
  readonly mesh: THREE.Mesh;
  readonly material: THREE.RawShaderMaterial;
  private geometry = new THREE.InstancedBufferGeometry();
  private readonly body: THREE.BufferGeometry;
  private shown = true;

  constructor(stl: ArrayBuffer, uniforms: SharedUniforms) {
    this.body = smoothed(new STLLoader().parse(stl));
    this.material = new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  set(rows: number[], positions: ArrayLike<number>, turns: ArrayLike<number>, sizes: ArrayLike<number> | undefined, values: ArrayLike<number>, around: Surroundings | null): void {
    this.geometry.dispose();
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute('position', this.body.getAttribute('position'));
    this.geometry.setAttribute('normal', this.body.getAttribute('normal'));
    const gather = (name: string, width: number, from: (row: number, c: number) => number) => {
      const out = new Float32Array(rows.length * width);
      rows.forEach((row, k) => { for (let c = 0; c < width; ++c) out[k * width + c] = from(row, c); });
      this.geometry.setAttribute(name, new THREE.InstancedBufferAttribute(out, width));
    };
    gather('center', 3, (row, c) => positions[3 * row + c]!);
    gather('turn', 4, (row, c) => turns[4 * row + c]!);
    gather('around', 4, (row, c) => (around ? (c < 3 ? around.open[3 * row + c]! : Math.min(1, around.density[row]! / 0.6)) : 0));
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
