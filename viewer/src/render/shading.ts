// Pieces of GLSL and the uniforms that all materials of the scene share.
import * as THREE from 'three';

export interface SharedUniforms {
  [name: string]: THREE.IUniform;
  colors: THREE.IUniform<THREE.DataTexture>; // 256 x 1
  low: THREE.IUniform<number>; // value at the first color
  scale: THREE.IUniform<number>; // 1 / (value at the last - low)
  clip: THREE.IUniform<THREE.Vector4>; // in view space: n·p + w < 0 is cut away; 0 without
  selected: THREE.IUniform<number>; // row of the selected grain, or -1
  opacity: THREE.IUniform<number>;
  orthographic: THREE.IUniform<number>;
  picking: THREE.IUniform<number>;
  pixel: THREE.IUniform<number>; // size of a pixel at distance 1, for the edge of discs and spheres
}

export function sharedUniforms(): SharedUniforms {
  const colors = new THREE.DataTexture(new Uint8Array(1024), 256, 1, THREE.RGBAFormat);
  colors.needsUpdate = true;
  return {
    colors: { value: colors },
    low: { value: 0 },
    scale: { value: 1 },
    clip: { value: new THREE.Vector4() },
    selected: { value: -1 },
    opacity: { value: 1 },
    orthographic: { value: 0 },
    picking: { value: 0 },
    pixel: { value: 1e-3 },
  };
}

// Color of a value; gray for what is no number. Used in vertex shaders, once per grain.
export const COLOR_OF = /* glsl */ `
uniform sampler2D colors;
uniform float low, scale;
vec3 color_of(float value) {
  if (isnan(value) || isinf(value)) return vec3(0.5);
  float t = clamp((value - low) * scale, 0.0, 1.0);
  return textureLod(colors, vec2((t * 255.0 + 0.5) / 256.0, 0.5), 0.0).rgb;
}
// A row of the frame as a color, and 0 for the background.
vec4 row_color(int row) {
  int n = row + 1;
  return vec4(float(n & 255), float((n >> 8) & 255), float((n >> 16) & 255), float((n >> 24) & 255)) / 255.0;
}`;

// What of the sky a surface sees among other grains: all where it faces the open, half deep in a bed.
export const SKY = /* glsl */ `
float sky(vec3 normal, vec4 shade) {
  return 1.0 - 0.42 * shade.w * (0.62 - 0.5 * dot(normal, shade.xyz));
}`;

// A key light above the left shoulder of the viewer, a fill from below, a little gloss.
export const LIGHT = /* glsl */ `
vec3 lit(vec3 color, vec3 normal, vec3 to_eye) {
  vec3 key = normalize(vec3(-0.45, 0.75, 0.6));
  float diffuse = max(dot(normal, key), 0.0);
  float fill = 0.5 + 0.5 * normal.y;
  float facing = max(dot(normal, to_eye), 0.0);
  float gloss = pow(max(dot(normalize(key + to_eye), normal), 0.0), 40.0);
  return color * (0.34 + 0.26 * fill + 0.62 * diffuse) * (0.66 + 0.34 * facing) + vec3(0.16) * gloss;
}`;
