// Force chains: a tube from center to center for every contact, as thick as its force is large (linear in it).
import * as THREE from 'three';
import { COLOR_OF, LIGHT, type SharedUniforms } from './shading';

const SIDES = 8;

const VERTEX = /* glsl */ `
precision highp float;
in vec3 position;         // of a tube of radius 1 from z = 0 to z = 1
in vec3 from, to;
in float force;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float thickness, thickest, least;
${COLOR_OF}
out vec3 normal_in_view, position_in_view, tint;
void main() {
  vec3 axis = to - from;
  float length_of = length(axis);
  float width = min(thickness * force, thickest);
  if (force < least || length_of == 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec3 w = axis / length_of;
  vec3 u = normalize(cross(w, abs(w.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 v = cross(w, u);
  vec3 outward = position.x * u + position.y * v;
  vec4 place = modelViewMatrix * vec4(from + axis * position.z + outward * width, 1.0);
  normal_in_view = (modelViewMatrix * vec4(outward, 0.0)).xyz;
  position_in_view = place.xyz;
  tint = color_of(force);
  gl_Position = projectionMatrix * place;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 normal_in_view, position_in_view, tint;
uniform vec4 clip;
uniform float orthographic;
out vec4 result;
${LIGHT}
void main() {
  if (dot(clip.xyz, position_in_view) + clip.w < 0.0) discard;
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-position_in_view);
  result = vec4(lit(tint, normalize(normal_in_view), to_eye), 1.0);
}`;

export interface TubeUniforms {
  [name: string]: THREE.IUniform;
  thickness: THREE.IUniform<number>; // radius per force
  thickest: THREE.IUniform<number>;
  least: THREE.IUniform<number>; // force below which nothing is drawn
}

export class Tubes {
  readonly mesh: THREE.Mesh;
  readonly uniforms: SharedUniforms & TubeUniforms;
  private geometry = new THREE.InstancedBufferGeometry();
  private readonly tube = Tubes.unitTube();

  constructor(shared: SharedUniforms, colors: THREE.DataTexture) {
    this.uniforms = {
      ...shared,
      colors: { value: colors },
      low: { value: 0 },
      scale: { value: 1 },
      thickness: { value: 0 },
      thickest: { value: 1 },
      least: { value: 0 },
    };
    const material = new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  private static unitTube(): { positions: Float32Array; index: number[] } {
    const positions = new Float32Array(SIDES * 6);
    const index: number[] = [];
    for (let k = 0; k < SIDES; ++k) {
      const angle = (2 * Math.PI * k) / SIDES;
      positions.set([Math.cos(angle), Math.sin(angle), 0, Math.cos(angle), Math.sin(angle), 1], 6 * k);
      const next = (k + 1) % SIDES;
      index.push(2 * k, 2 * next, 2 * k + 1, 2 * k + 1, 2 * next, 2 * next + 1);
    }
    return { positions, index };
  }

  // `ends`: six numbers a contact.
  set(ends: Float32Array, forces: Float32Array): void {
    this.geometry.dispose();
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(this.tube.positions, 3));
    this.geometry.setIndex(this.tube.index);
    const buffer = new THREE.InstancedInterleavedBuffer(ends, 6);
    this.geometry.setAttribute('from', new THREE.InterleavedBufferAttribute(buffer, 3, 0));
    this.geometry.setAttribute('to', new THREE.InterleavedBufferAttribute(buffer, 3, 3));
    this.geometry.setAttribute('force', new THREE.InstancedBufferAttribute(forces, 1));
    this.geometry.instanceCount = forces.length;
    this.mesh.geometry = this.geometry;
  }
}
