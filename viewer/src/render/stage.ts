// The picture: camera, what is in the scene, picking, and when to draw. Nothing is drawn unless something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Grains } from './grains';
import { Lines } from './lines';
import { Shape } from './shapes';
import { sharedUniforms, type SharedUniforms } from './shading';
import { Tubes } from './tubes';
import { Walls } from './walls';

// Numbers are colors as they are shown; all shaders work on those.
THREE.ColorManagement.enabled = false;

export type StandardView = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'diagonal';
const FIELD_OF_VIEW = 35;
const DIRECTIONS: Record<StandardView, [number, number, number]> = {
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, 0, 1],
  bottom: [0, 0, -1],
  diagonal: [0.62, -0.72, 0.4],
};

// Drawing by the processor is slow enough to do without smoothed edges.
function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name = String(context?.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER) ?? '');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly uniforms: SharedUniforms = sharedUniforms();
  readonly grains: Grains;
  readonly tubes: Tubes;
  readonly walls: Walls;
  readonly edges: Lines;
  readonly cells: Lines;
  readonly shapes: Shape[] = [];
  readonly controls: OrbitControls;
  readonly forceColors = new THREE.DataTexture(new Uint8Array(1024), 256, 1, THREE.RGBAFormat);
  private readonly scene = new THREE.Scene();
  private readonly perspective = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  private readonly parallel = new THREE.OrthographicCamera();
  private camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  private readonly window: THREE.IUniform<THREE.Vector2> = { value: new THREE.Vector2(1, 1) };
  private readonly pickTarget = new THREE.WebGLRenderTarget(1, 1);
  readonly extent = new THREE.Sphere(new THREE.Vector3(), 1); // of what there is to see
  readonly box = new THREE.Box3(); // around it
  private plane: THREE.Plane | null = null;
  private wanted = false;
  private motionScale = 1; // of the resolution while things move, where drawing is slow
  private stride = 1; // of the grains then
  private moving = false; // the picture asked for follows the last one at once
  private lastFrame = 0;
  private restTimer = 0;
  drawn = 0; // pictures so far
  drawMilliseconds = 0; // between the last two pictures in a row
  afterDraw: (() => void) | null = null;

  constructor(private readonly host: HTMLElement, readonly dimension: number) {
    const software = isSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !software, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute('aria-label', 'Picture of the grains. Drag to turn, right drag to move, wheel to zoom, click to select a grain.');
    canvas.setAttribute('role', 'img');
    host.append(canvas);

    this.grains = new Grains(this.uniforms, dimension, !software);
    this.tubes = new Tubes(this.uniforms, this.forceColors);
    this.walls = new Walls(this.uniforms, this.window);
    this.edges = new Lines(this.uniforms.clip, this.window, '#5fb0d0', 1, 0.5);
    this.cells = new Lines(this.uniforms.clip, this.window, '#d0a060', 1, 0.6);
    this.tubes.mesh.visible = this.edges.mesh.visible = this.cells.mesh.visible = false;
    this.scene.add(this.grains.mesh, this.tubes.mesh, this.walls.group, this.edges.mesh, this.cells.mesh);
    if (dimension === 2) for (const mesh of [this.tubes.mesh, this.edges.mesh, this.cells.mesh]) mesh.renderOrder = 7;

    this.camera = dimension === 2 ? this.parallel : this.perspective;
    this.uniforms.orthographic.value = dimension === 2 ? 1 : 0;
    for (const camera of [this.perspective, this.parallel]) camera.up.set(0, dimension === 2 ? 1 : 0, dimension === 2 ? 0 : 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.screenSpacePanning = true;
    this.controls.zoomToCursor = true;
    if (dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener('change', () => this.request());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  get orthographic(): boolean {
    return this.camera === this.parallel;
  }

  background(color: string): void {
    this.renderer.setClearColor(color, 1);
    this.request();
  }

  addShape(stl: ArrayBuffer): Shape {
    const shape = new Shape(stl, this.uniforms);
    this.shapes.push(shape);
    this.scene.add(shape.mesh);
    return shape;
  }

  // ------------------------------------------------------------------ camera

  look(view: StandardView): void {
    const direction = this.dimension === 2 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(...DIRECTIONS[view]).normalize();
    const distance = (0.95 * this.extent.radius) / Math.sin((FIELD_OF_VIEW * Math.PI) / 360);
    // From above or below "up" is along y; a hair off the axis keeps the orbit well defined.
    if (Math.abs(direction.z) === 1 && this.dimension === 3) direction.y = -1e-4 * direction.z;
    this.controls.target.copy(this.extent.center);
    this.camera.position.copy(this.extent.center).addScaledVector(direction, distance);
    this.parallel.zoom = 1;
    const aspect = Math.max(1, this.host.clientWidth) / Math.max(1, this.host.clientHeight);
    const size = this.box.getSize(new THREE.Vector3());
    // resize() widens the view of a tall window by itself.
    this.parallelHeight = this.dimension === 2 ? 1.12 * Math.max(size.y, size.x / aspect) * Math.min(1, aspect) : 1.9 * this.extent.radius;
    this.resize();
    this.controls.update();
    this.request();
  }

  // Brings a box into the middle of the picture and as near as it fits, without turning.
  lookAt(box: THREE.Box3): void {
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, (0.95 * sphere.radius) / Math.sin((FIELD_OF_VIEW * Math.PI) / 360));
    this.parallel.zoom = this.parallelHeight / (1.9 * sphere.radius);
    this.controls.update();
    this.request();
  }

  private parallelHeight = 2;

  setOrthographic(on: boolean): void {
    if (this.dimension === 2 || on === this.orthographic) return;
    const from = this.camera;
    this.camera = on ? this.parallel : this.perspective;
    this.camera.position.copy(from.position);
    const distance = from.position.distanceTo(this.controls.target);
    const factor = 2 * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    if (on) {
      this.parallelHeight = distance * factor;
      this.parallel.zoom = 1;
    } else {
      const seen = this.parallelHeight / this.parallel.zoom / factor;
      this.perspective.position.sub(this.controls.target).setLength(seen).add(this.controls.target);
    }
    this.uniforms.orthographic.value = on ? 1 : 0;
    this.controls.object = this.camera;
    this.resize();
    this.controls.update();
    this.request();
  }

  // Moves camera and target together, to follow a grain.
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.request();
  }

  private fitDepth(): void {
    const distance = this.camera.position.distanceTo(this.extent.center);
    const radius = 1.2 * this.extent.radius;
    this.camera.far = distance + radius;
    if (this.orthographic) this.camera.near = distance - radius;
    else this.camera.near = Math.max(distance - radius, 2e-4 * this.camera.far);
    this.camera.updateProjectionMatrix();
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    this.perspective.aspect = width / height;
    const half = this.parallelHeight / 2;
    // A tall narrow window shows the width of the scene.
    const shrink = Math.min(1, width / height);
    this.parallel.left = (-half * width) / height / shrink;
    this.parallel.right = -this.parallel.left;
    this.parallel.top = half / shrink;
    this.parallel.bottom = -this.parallel.top;
    this.perspective.fov = shrink < 1 ? (360 / Math.PI) * Math.atan(Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / shrink) : FIELD_OF_VIEW;
    this.applyResolution();
    // At once, for a new size has cleared the picture.
    if (this.drawn > 0) this.draw();
    else this.request();
  }

  private applyResolution(): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.motionScale);
    this.renderer.setSize(Math.max(1, this.host.clientWidth), Math.max(1, this.host.clientHeight));
    this.renderer.getDrawingBufferSize(this.window.value);
  }

  // ------------------------------------------------------------------ clip

  // Cuts away what lies beyond the plane: n·p > offset.
  clip(normal: THREE.Vector3 | null, offset = 0): void {
    this.plane = normal && new THREE.Plane(normal.clone().negate(), offset);
    this.request();
  }

  private placeUniforms(): void {
    this.camera.updateMatrixWorld();
    const clip = this.uniforms.clip.value;
    if (!this.plane) clip.set(0, 0, 0, 0);
    else {
      const seen = this.plane.clone().applyMatrix4(this.camera.matrixWorldInverse);
      clip.set(seen.normal.x, seen.normal.y, seen.normal.z, seen.constant);
    }
    const lines = this.window.value.y;
    this.uniforms.pixel.value = this.orthographic ? (this.parallel.top - this.parallel.bottom) / this.parallel.zoom / lines : (2 * Math.tan((this.perspective.fov * Math.PI) / 360)) / lines;
  }

  // ------------------------------------------------------------------ drawing

  request(): void {
    if (this.wanted) return;
    this.wanted = true;
    this.moving = performance.now() - this.lastFrame < 80;
    requestAnimationFrame((now) => {
      this.wanted = false;
      this.pace(now);
      this.draw();
    });
  }

  // While pictures follow each other slowly, they get coarser, then thinner; once things rest, the last one is drawn sharp
  // and whole.
  private pace(now: number): void {
    const passed = now - this.lastFrame;
    this.lastFrame = now;
    if (this.moving) {
      this.drawMilliseconds = passed;
      const before = this.motionScale;
      if (passed > 55 && this.motionScale > 0.35) this.motionScale = Math.max(0.35, this.motionScale * (passed > 150 ? 0.6 : 0.85));
      else if (passed > 90) this.stride = Math.min(32, 2 * this.stride);
      else if (passed < 25 && this.stride > 1) this.stride /= 2;
      else if (passed < 25) this.motionScale = Math.min(1, this.motionScale * 1.1);
      if (this.motionScale !== before) this.applyResolution();
      this.grains.thin(this.stride);
    }
    if (this.motionScale < 1 || this.stride > 1) {
      window.clearTimeout(this.restTimer);
      this.restTimer = window.setTimeout(() => {
        this.beSharp();
        this.request();
      }, 300);
    }
  }

  private beSharp(): void {
    this.motionScale = this.stride = 1;
    this.lastFrame = 0;
    this.grains.thin(1);
    this.applyResolution();
  }

  // At full resolution, for pictures to keep.
  drawSharp(): void {
    this.beSharp();
    this.draw();
  }

  draw(): void {
    this.fitDepth();
    this.placeUniforms();
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
    this.afterDraw?.();
  }

  // How the axes lie in the picture, and the size of a pixel in the middle of what is looked at.
  sight(): { axes: [number, number, number][]; metersPerPixel: number } {
    const turned = this.camera.matrixWorldInverse;
    const axes = [0, 1, 2].slice(0, this.dimension).map((k): [number, number, number] => {
      const axis = new THREE.Vector3().setComponent(k, 1).transformDirection(turned);
      return [axis.x, axis.y, axis.z];
    });
    const height = Math.max(1, this.host.clientHeight);
    const seen = this.orthographic
      ? (this.parallel.top - this.parallel.bottom) / this.parallel.zoom
      : 2 * Math.tan((this.perspective.fov * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target);
    return { axes, metersPerPixel: seen / height };
  }

  // Row of the grain at a place of the page, or -1.
  pick(clientX: number, clientY: number): number {
    const box = this.renderer.domElement.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    this.fitDepth();
    this.camera.setViewOffset(box.width, box.height, x, y, 1, 1);
    this.placeUniforms();
    const bodies = [this.grains, ...this.shapes];
    const others = this.scene.children.filter((child) => !bodies.some((body) => body.mesh === child));
    const visible = others.map((child) => child.visible);
    others.forEach((child) => (child.visible = false));
    const kept = bodies.map(({ material }) => ({ blending: material.blending, depthWrite: material.depthWrite, transparent: material.transparent, coverage: material.alphaToCoverage }));
    for (const { material } of bodies) {
      material.blending = THREE.NoBlending;
      material.transparent = material.alphaToCoverage = false;
      material.depthWrite = true;
    }
    this.uniforms.picking.value = 1;
    this.grains.thin(1);
    const clear = this.renderer.getClearColor(new THREE.Color());
    this.renderer.setRenderTarget(this.pickTarget);
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    this.renderer.setClearColor(clear, 1);
    this.uniforms.picking.value = 0;
    this.grains.thin(this.stride);
    bodies.forEach(({ material }, k) => {
      material.blending = kept[k]!.blending;
      material.depthWrite = kept[k]!.depthWrite;
      material.transparent = kept[k]!.transparent;
      material.alphaToCoverage = kept[k]!.coverage;
    });
    others.forEach((child, k) => (child.visible = visible[k]!));
    this.camera.clearViewOffset();
    return ((pixel[0]! | (pixel[1]! << 8) | (pixel[2]! << 16) | (pixel[3]! << 24)) >>> 0) - 1;
  }

  // Where a point of the scene appears on the page, for labels and tests.
  onPage(point: THREE.Vector3): { x: number; y: number } {
    this.camera.updateMatrixWorld();
    const seen = point.clone().project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return { x: box.left + ((seen.x + 1) / 2) * box.width, y: box.top + ((1 - seen.y) / 2) * box.height };
  }
}
