// Walls as thin glass: clearer where they face the eye, with their edges drawn. In the plane they are lines.
import * as THREE from 'three';
import type { Pack } from '../data/pack';
import { Lines } from './lines';

const VERTEX = /* glsl */ `
precision highp float;
in vec3 position, normal;
uniform mat4 modelViewMatrix, projectionMatrix;
out vec3 normal_in_view, position_in_view;
void main() {
  vec4 place = modelViewMatrix * vec4(position, 1.0);
  normal_in_view = (modelViewMatrix * vec4(normal, 0.0)).xyz;
  position_in_view = place.xyz;
  gl_Position = projectionMatrix * place;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 normal_in_view, position_in_view;
uniform vec4 clip;
uniform vec3 color;
uniform float orthographic, strength;
out vec4 result;
void main() {
  if (dot(clip.xyz, position_in_view) + clip.w < 0.0) discard;
  vec3 to_eye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-position_in_view);
  float facing = abs(dot(normalize(normal_in_view), to_eye));
  result = vec4(color * (0.75 + 0.25 * facing), strength * (0.35 + 1.1 * pow(1.0 - facing, 2.0)));
}`;

const MOST_FOR_EDGES = 60000; // triangles

// One line along each wall, between two faces that meet at a slight angle, as those of a cylinder do: it shows that a wall
// turns, whose shape alone would not.
export function marks(points: ArrayLike<number>, triangles: ArrayLike<number>, owners: ArrayLike<number> | undefined): Float32Array {
  const out: number[] = [];
  const at = (k: number) => new THREE.Vector3(points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!);
  const key = (p: THREE.Vector3) => p.toArray().map((x) => x.toPrecision(6)).join();
  for (let first = 0; first < triangles.length / 3; ) {
    let end = first;
    while (end < triangles.length / 3 && (owners?.[end] ?? 0) === (owners?.[first] ?? 0)) ++end;
    const seen = new Map<string, THREE.Vector3>();
    let longest: [THREE.Vector3, THREE.Vector3] | null = null;
    for (let t = first; t < end && !longest; ++t) {
      const corner = [0, 1, 2].map((k) => at(triangles[3 * t + k]!)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
      const normal = corner[1].clone().sub(corner[0]).cross(corner[2].clone().sub(corner[0])).normalize();
      for (const [a, b] of [[corner[0], corner[1]], [corner[1], corner[2]], [corner[2], corner[0]]] as const) {
        const name = [key(a), key(b)].sort().join(' ');
        const other = seen.get(name);
        if (!other) seen.set(name, normal);
        else if (Math.abs(other.dot(normal)) < 0.99999 && Math.abs(other.dot(normal)) > 0.866) longest = [a, b];
        if (longest) break;
      }
    }
    if (longest) out.push(...longest[0].toArray(), ...longest[1].toArray());
    first = end;
  }
  return Float32Array.from(out);
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ++k) if (a[k] !== b[k]) return false;
  return true;
}

// Edges of a mesh that a viewer would draw: open ones, and those where faces meet at an angle whose cosine is below `flat`.
// Corners are matched by place, for meshes often repeat them. With owners, each owner's triangles, which follow each
// other, are a mesh of their own.
export function creases(points: ArrayLike<number>, triangles: ArrayLike<number>, flat = 0.866, owners?: ArrayLike<number>): Float32Array {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < points.length; ++k) {
    low = Math.min(low, points[k]!);
    high = Math.max(high, points[k]!);
  }
  const grain = (high - low || 1) * 1e-6;
  const corners = new Map<string, number>();
  const merged = new Int32Array(points.length / 3);
  for (let k = 0; k < merged.length; ++k) {
    const key = [0, 1, 2].map((c) => Math.round(points[3 * k + c]! / grain)).join();
    const known = corners.get(key);
    merged[k] = known ?? k;
    if (known === undefined) corners.set(key, k);
  }
  const at = (k: number) => new THREE.Vector3(points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!);
  const open = new Map<number, { a: number; b: number; normal: THREE.Vector3; faces: number; sharp: boolean }>();
  const n = merged.length;
  const out: number[] = [];
  const flush = () => {
    for (const edge of open.values()) if (edge.faces === 1 || edge.sharp) out.push(...at(edge.a).toArray(), ...at(edge.b).toArray());
    open.clear();
  };
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    if (owners && t > 0 && owners[t / 3] !== owners[t / 3 - 1]) flush();
    const [a, b, c] = [0, 1, 2].map((k) => merged[triangles[t + k]!]!) as [number, number, number];
    const normal = at(b).sub(at(a)).cross(at(c).sub(at(a)));
    if (normal.lengthSq() === 0) continue;
    normal.normalize();
    for (const [p, q] of [[a, b], [b, c], [c, a]] as const) {
      const key = Math.min(p, q) * n + Math.max(p, q);
      const edge = open.get(key);
      if (!edge) open.set(key, { a: p, b: q, normal, faces: 1, sharp: false });
      else {
        ++edge.faces;
        if (Math.abs(edge.normal.dot(normal)) < flat) edge.sharp = true;
      }
    }
  }
  flush();
  return Float32Array.from(out);
}

export class Walls {
  readonly group = new THREE.Group();
  private readonly surface: THREE.Mesh;
  private readonly edges: Lines;
  private readonly segments: Lines;
  private readonly turning: Lines; // marks of walls that move
  private readonly color: THREE.IUniform<THREE.Color>;
  private shown: { points: ArrayLike<number>; triangles: ArrayLike<number>; lines: ArrayLike<number> } | null = null;
  readonly bounds = new THREE.Box3();

  constructor(uniforms: { clip: THREE.IUniform<THREE.Vector4>; orthographic: THREE.IUniform<number> }, window: THREE.IUniform<THREE.Vector2>) {
    this.color = { value: new THREE.Color('#9fb4c8') };
    const material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { clip: uniforms.clip, orthographic: uniforms.orthographic, color: this.color, strength: { value: 0.3 } },
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    });
    this.surface = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.surface.frustumCulled = false;
    this.surface.renderOrder = 5;
    this.edges = new Lines(uniforms.clip, window, '#9fb4c8', 1, 0.55);
    this.segments = new Lines(uniforms.clip, window, '#9fb4c8', 2.5, 1);
    this.turning = new Lines(uniforms.clip, window, '#e0a23a', 2.5, 0.9);
    this.edges.mesh.renderOrder = this.turning.mesh.renderOrder = 6;
    this.group.add(this.surface, this.edges.mesh, this.segments.mesh, this.turning.mesh);
  }

  tint(color: string): void {
    this.color.value.set(color);
    for (const lines of [this.edges, this.segments]) (lines.uniforms['color']!.value as THREE.Color).set(color);
  }

  set(pack: Pack | null): void {
    const points = pack?.array('position') ?? [];
    const triangles = pack?.array('triangles') ?? [];
    const lines = pack?.array('lines') ?? [];
    // Most walls stand still.
    const before = this.shown;
    if (before && sameNumbers(points, before.points) && sameNumbers(triangles, before.triangles) && sameNumbers(lines, before.lines)) return;
    const moves = before !== null && sameNumbers(triangles, before.triangles) && points.length === before.points.length;
    this.shown = { points, triangles, lines };
    this.bounds.makeEmpty();
    const point = new THREE.Vector3();
    for (let k = 0; k < points.length; k += 3) this.bounds.expandByPoint(point.fromArray(points, k));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(points), 3));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(triangles), 1));
    geometry.computeVertexNormals();
    this.surface.geometry.dispose();
    this.surface.geometry = geometry;
    this.edges.set(triangles.length > 0 && triangles.length < 3 * MOST_FOR_EDGES ? creases(points, triangles) : []);
    this.segments.set(points, lines);
    this.turning.set(moves && triangles.length < 3 * MOST_FOR_EDGES ? marks(points, triangles, pack?.array('triangle_wall')) : []);
  }
}
