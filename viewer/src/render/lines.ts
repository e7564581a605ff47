// Segments of a width in pixels, whatever the distance: walls in the plane, edges of walls, triangulations, cells.
import * as THREE from 'three';

const VERTEX = /* glsl */ `
precision highp float;
in vec2 corner;           // x: 0 at the first end, 1 at the other; y: -1 or 1 across
in vec3 from, to;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec2 window;      // in pixels
uniform float width;
uniform vec4 clip;
out float beyond;
void main() {
  vec4 a = modelViewMatrix * vec4(from, 1.0), b = modelViewMatrix * vec4(to, 1.0);
  // Ends behind the eye are brought before it along the segment.
  if (projectionMatrix[3][3] == 0.0) {
    float near = -1e-4;
    if (a.z > near && b.z > near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
    if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
  }
  vec4 at_a = projectionMatrix * a, at_b = projectionMatrix * b;
  vec2 along = (at_b.xy / at_b.w - at_a.xy / at_a.w) * window;
  vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
  vec4 here = corner.x < 0.5 ? at_a : at_b;
  here.xy += across * corner.y * width / window * here.w;
  here.z -= 1e-5 * here.w;  // before the faces they bound
  gl_Position = here;
  vec4 place = corner.x < 0.5 ? a : b;
  beyond = dot(clip.xyz, place.xyz) + clip.w;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in float beyond;
uniform vec3 color;
uniform float strength;
out vec4 result;
void main() {
  if (beyond < 0.0) discard;
  result = vec4(color, strength);
}`;

export class Lines {
  readonly mesh: THREE.Mesh;
  readonly uniforms: Record<string, THREE.IUniform>;
  private geometry = new THREE.InstancedBufferGeometry();

  constructor(clip: THREE.IUniform<THREE.Vector4>, window: THREE.IUniform<THREE.Vector2>, color: THREE.ColorRepresentation, width: number, strength: number) {
    this.uniforms = { clip, window, color: { value: new THREE.Color(color) }, width: { value: width }, strength: { value: strength } };
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.uniforms,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
  }

  // Pairs of points; without pairs the points follow each other two by two.
  set(points: ArrayLike<number>, pairs?: ArrayLike<number>): void {
    const count = pairs ? pairs.length / 2 : points.length / 6;
    let ends: Float32Array;
    if (!pairs) ends = points instanceof Float32Array ? points : Float32Array.from(points);
    else {
      ends = new Float32Array(count * 6);
      for (let k = 0; k < pairs.length; ++k) for (let c = 0; c < 3; ++c) ends[3 * k + c] = points[3 * pairs[k]! + c]!;
    }
    this.geometry.dispose();
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute('corner', new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, 1, 1, 1, -1]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const buffer = new THREE.InstancedInterleavedBuffer(ends, 6);
    this.geometry.setAttribute('from', new THREE.InterleavedBufferAttribute(buffer, 3, 0));
    this.geometry.setAttribute('to', new THREE.InterleavedBufferAttribute(buffer, 3, 3));
    this.geometry.instanceCount = count;
    this.mesh.geometry = this.geometry;
    this.mesh.visible = count > 0;
  }
}
