// The viewer: keeps what the user has chosen, fetches the frame that should be shown, and puts it on the stage.
import * as THREE from 'three';
import { Camera, save } from './capture';
import { colorTable } from './data/colormap';
import { chains, fieldsOf, rangeOf, rowOfId, surroundings, type Field } from './data/fields';
import { FrameStore, memoryForFrames } from './data/frames';
import { readLink, writeLink, type Link } from './data/link';
import type { Pack } from './data/pack';
import { roundRange } from './data/round';
import { Curves } from './data/series';
import type { Source, Summary } from './data/source';
import { creases } from './render/walls';
import { Stage, type StandardView } from './render/stage';
import type { Shape } from './render/shapes';
import { el, iconButton, select, tell } from './ui/dom';
import { Help } from './ui/help';
import { bindKeys } from './ui/keys';
import { Legend } from './ui/legend';
import { Overlay } from './ui/overlay';
import { Panel } from './ui/panel';
import { Plot } from './ui/plot';
import { Selection } from './ui/selection';
import { Timeline } from './ui/timeline';

const CONTACT_FIELDS = ['normal_force', 'a', 'b', 'wall'];
const MOST_CELL_TRIANGLES = 400_000;
const SHAPE_FIELDS = ['orientation', 'shape', 'scale'];
const ROWS_FOR_RANGE = 3_000_000; // grains times frames that the colors' range is taken from, evenly over the run
const MANY_GRAINS = 300_000;
const VIEWS = ['diagonal', 'front', 'back', 'left', 'right', 'top', 'bottom'];

interface Shown {
  frame: number;
  grains: Pack;
  contacts: Pack | null;
  walls: Pack | null;
  edges: Pack | null;
  cells: Pack | null;
}

export class App {
  readonly stage: Stage;
  readonly store: FrameStore;
  readonly times: number[] = [];
  private readonly curves = new Curves();
  private readonly legend = new Legend();
  private readonly forceLegend = new Legend();
  private readonly overlay = new Overlay();
  private readonly caption = el('p', { class: 'caption' });
  private link: Link;
  private linkTimer = 0;
  private readonly timeline: Timeline;
  private readonly panel: Panel;
  private readonly selection: Selection;
  private readonly plot: Plot;
  private readonly help: Help;
  private readonly camera: Camera;
  private readonly message = el('div', { class: 'message', role: 'status' });
  private readonly badge = el('span', { class: 'badge' });
  private readonly dimension: number;

  frame = 0;
  shown: Shown | null = null;
  fields: Field[] = [];
  fieldKey = '';
  private map = 'tide';
  // By field: of frames chosen evenly, so that it does not depend on which ones were looked at; from how many frames it was.
  private readonly ranges = new Map<string, { range: [number, number] | null; frames: number }>();
  private fixed: { low: number | null; high: number | null } = { low: null, high: null };
  playing = false;
  private framesPerSecond = 20;
  private looping = true;
  private newest = false;
  selectedId: number | null = null;
  private following = false;
  private followedAt: THREE.Vector3 | null = null;
  private chains = false;
  private opacity = 1;
  private faded = false; // by the chains
  private shading = true;
  private thickness = 1;
  private threshold = 0.2;
  private edges = false;
  private cells = false;
  private showing: Promise<void> | null = null;
  private ranging: Promise<void> | null = null;
  private filming = false;
  private readonly meshes = new Map<string, Shape | null>(); // of shapes, by name
  private fitted = false;
  private cellsShown: Pack | null = null;
  private chainForces: Float32Array = new Float32Array();

  constructor(host: HTMLElement, private readonly source: Source, public summary: Summary) {
    this.dimension = summary.run?.dimension ?? 3;
    this.link = readLink(location.hash || (summary.link ?? ''));
    this.store = new FrameStore(source, memoryForFrames());
    this.times.push(...summary.times);

    const viewport = el('main', { class: 'viewport' });
    this.stage = new Stage(viewport, this.dimension);
    this.selection = new Selection((on) => this.follow(on), () => this.select(null));
    this.panel = new Panel({
      field: (key) => void this.colorBy(key),
      map: (name) => { this.map = name; this.recolor(); },
      range: (low, high) => { this.fixed = { low, high }; this.recolor(); },
      walls: (on) => this.setWalls(on),
      grains: (on) => { this.stage.grains.mesh.visible = on; for (const shape of this.meshes.values()) shape?.show(on); this.stage.request(); },
      chains: (on) => void this.setChains(on),
      thickness: (factor) => { this.thickness = factor; this.sizeChains(); },
      threshold: (part) => { this.threshold = part; this.sizeChains(); },
      opacity: (value) => this.setOpacity(value),
      shading: (on) => { this.shading = on; if (this.shown) this.put(this.shown); },
      edges: (on) => { this.edges = on; void this.refresh(); },
      cells: (on) => { this.cells = on; void this.refresh(); },
      clip: (axis, offset, flip) => this.clip(axis, offset, flip),
    }, this.dimension, this.selection.root);
    this.timeline = new Timeline({
      toggle: () => this.togglePlay(),
      go: (frame) => { this.pause(); void this.go(frame); },
      step: (by) => { this.pause(); void this.go(this.frame + by); },
      speed: (value) => (this.framesPerSecond = value),
      loop: () => this.setLoop(!this.looping),
      follow: (on) => { this.newest = on; if (on) void this.go(Infinity); },
    });
    this.plot = new Plot(this.curves, (time) => { this.pause(); void this.go(this.frameAt(time)); }, () => this.togglePlot());
    this.plot.root.hidden = true;
    this.help = new Help(summary.viewer);
    this.forceLegend.root.hidden = true;
    this.camera = new Camera(this.stage, [this.legend, this.forceLegend], this.overlay, () => getComputedStyle(document.documentElement).color);
    viewport.append(el('div', { class: 'legends' }, this.forceLegend.root, this.legend.root), this.overlay.root, this.message);
    this.stage.afterDraw = () => this.overlay.show(this.stage.sight());
    host.append(this.topBar(), el('div', { class: 'middle' }, el('div', { class: 'left' }, viewport, this.caption, this.plot.root), this.panel.root), this.timeline.root, this.help.root);
    this.watchPointer();
    bindKeys(this);
    this.setLoop(true);
    this.setTheme(this.savedTheme());
    this.newest = source.live && summary.run?.status === 'running' && this.link.frame === undefined && this.link.time === undefined;
    host.classList.toggle('embed', this.link.embed ?? window.self !== window.top);
    this.panel.root.hidden = window.matchMedia('(max-width: 760px)').matches;
    this.caption.textContent = source.live ? '' : (summary.caption ?? this.describeInWords());
    this.caption.hidden = this.caption.textContent === '';
    this.timeline.follow.checked = this.newest;
    this.panel.sceneSection.addEventListener('toggle', () => void this.showScene());
    for (const [kind, control] of [['triangulation', this.panel.edges], ['cells', this.panel.cells]] as const) {
      control.row.title = 'Drawn where the run has frames of them (scree export --format vtk)';
      control.input.disabled = summary[kind].length === 0;
    }
    this.describe();
  }

  async start(): Promise<void> {
    for (const name of this.summary.shapes) {
      const stl = await this.source.shape(name);
      this.meshes.set(name, stl && stl.byteLength > 84 ? this.stage.addShape(stl) : null);
    }
    await this.readSeries();
    await this.go(this.newest ? Infinity : this.startingFrame());
    await this.followLink();
    if (this.source.live) this.watch();
    window.addEventListener('hashchange', () => {
      const link = readLink(location.hash);
      if (writeLink(link) === writeLink(this.linkNow())) return;
      this.link = link;
      this.pause();
      void this.go(this.startingFrame()).then(() => this.followLink());
    });
    document.documentElement.dataset['ready'] = 'yes';
    // Whoever opens a page that somebody sent sees it move, unless movement is unwanted.
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.link.play ?? (!this.source.live && !still && this.link.frame === undefined && this.link.time === undefined)) this.togglePlay();
  }

  // In the middle of what happens: half of the kinetic energy over time has been by then. At the start grains hang in the
  // air, at the end they lie still.
  private startingFrame(): number {
    if (this.link.frame !== undefined) return this.link.frame;
    if (this.link.time !== undefined) return this.frameAt(this.link.time);
    const kinetic = this.curves.series.column('kinetic').map((value) => (value > 0 ? value : 0));
    const half = kinetic.reduce((sum, value) => sum + value, 0) / 2;
    if (!(half > 0) || !Number.isFinite(half)) return Math.floor((this.times.length - 1) / 2);
    let row = 0;
    for (let sum = kinetic[0]!; sum < half; ) sum += kinetic[++row]!;
    return this.frameAt(this.curves.series.column('time')[row]!);
  }

  private async followLink(): Promise<void> {
    const { color, map, view, chains, walls, plots, select } = this.link;
    if (map) this.map = this.panel.map.value = map;
    if (color && this.fields.some((field) => field.key === color)) await this.colorBy(color);
    if (view && VIEWS.includes(view)) this.stage.look(view as StandardView);
    if (walls !== undefined) this.setWalls(walls);
    if (chains !== undefined) await this.setChains(chains);
    if (plots !== undefined && plots === this.plot.root.hidden) this.togglePlot();
    if (select !== undefined) this.select(select);
    this.recolor();
  }

  // The link to what is shown now.
  private linkNow(): Link {
    const link: Link = { frame: this.frame, color: this.fieldKey };
    if (this.map !== 'tide') link.map = this.map;
    if (this.chains) link.chains = true;
    if (!this.wallsShown) link.walls = false;
    if (this.selectedId !== null) link.select = this.selectedId;
    if (this.link.embed !== undefined) link.embed = this.link.embed;
    return link;
  }

  // Once things have rested, the address is that of what is shown.
  private keepLink(): void {
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => {
      if (this.playing || this.newest || !this.shown) return;
      try { history.replaceState(null, '', writeLink(this.linkNow())); } catch { /* not everywhere may a page do that */ }
    }, 400);
  }

  private describeInWords(): string {
    const run = this.summary.run ?? {};
    const parts = [run.title || this.summary.name];
    if (run.grains !== undefined) parts.push(`${run.grains.toLocaleString('en')} grains`);
    if (run.time !== undefined) parts.push(`${tell(run.time)} s`);
    return `${parts.join(', ')}. Simulated with scree ${run.version ?? ''}`.trim() + '.';
  }

  // ------------------------------------------------------------------ frames

  private neededFields(): string[] {
    const needs = this.fields.find((field) => field.key === this.fieldKey)?.needs ?? ['velocity', 'group'];
    return this.meshes.size > 0 ? [...needs, ...SHAPE_FIELDS] : needs;
  }

  private needsContacts(): boolean {
    return this.chains || (this.fields.find((field) => field.key === this.fieldKey)?.needsContacts ?? false);
  }

  private async load(frame: number): Promise<Shown | null> {
    const [grains, walls, contacts, edges, cells] = await Promise.all([
      this.store.get(frame, 'grains', this.neededFields()),
      this.store.get(frame, 'walls', ['wall']),
      this.needsContacts() ? this.store.get(frame, 'contacts', CONTACT_FIELDS) : null,
      this.edges && this.summary.triangulation.includes(frame) ? this.store.get(frame, 'triangulation', []) : null,
      this.cells && this.summary.cells.includes(frame) ? this.store.get(frame, 'cells', ['id']) : null,
    ]);
    return grains && { frame, grains, walls, contacts, edges, cells };
  }

  // Shows a frame. While one is on its way only the latest wish is kept.
  go(frame: number): Promise<void> {
    this.frame = Math.max(0, Math.min(frame, this.times.length - 1));
    return this.refresh();
  }

  refresh(): Promise<void> {
    this.showing ??= this.showLatest().finally(() => (this.showing = null));
    return this.showing;
  }

  private async showLatest(): Promise<void> {
    if (this.times.length === 0) {
      this.say('This run has no frames yet. [output] frames in its scene says how often they are written.');
      this.updateTimeline();
      return;
    }
    for (let wish = ''; wish !== this.wish(); ) {
      wish = this.wish();
      this.updateTimeline();
      try {
        const next = await this.load(this.frame);
        if (wish !== this.wish()) continue;
        if (next && !this.fitted) await this.fit();
        if (next) this.put(next);
        await this.ranging;
        this.say(next ? '' : `Frame ${this.frame} is not there (any more).`);
      } catch (error) {
        this.say(error instanceof Error ? error.message : String(error));
      }
    }
    // The next one, so that playing does not wait for it.
    if (this.playing && this.frame + 1 < this.times.length) void this.load(this.frame + 1).catch(() => null);
  }

  private wish(): string {
    return [this.frame, this.fieldKey, this.chains, this.edges, this.cells].join();
  }

  private put(next: Shown): void {
    this.shown = next;
    const { grains, contacts } = next;
    const fields = fieldsOf(grains.header.available ?? [], this.dimension, this.summary.contacts !== false);
    if (this.fields.length !== fields.length) {
      this.fields = fields.filter((field) => this.source.live || field.needs.every((name) => grains.has(name)));
      if (!this.fields.some((field) => field.key === this.fieldKey)) this.fieldKey = this.firstField(grains);
      this.panel.offer(this.fields, this.fieldKey);
    }
    const field = this.fields.find((candidate) => candidate.key === this.fieldKey)!;
    const values = field.evaluate(grains, contacts, this.dimension);
    this.ranging = this.findRange(field);
    this.putGrains(grains, values);
    this.stage.walls.set(next.walls);
    this.putContacts(contacts);
    this.stage.edges.set(next.edges?.array('position') ?? [], next.edges?.array('lines') ?? []);
    this.putCells(next.cells);
    this.recolor();
    void this.showSelection();
    this.plot.cursor(this.times[next.frame] ?? 0);
    this.updateTimeline();
    this.stage.request();
    this.keepLink();
  }

  // Groups where there are several, else the first of the list.
  private firstField(grains: Pack): string {
    const groups = rangeOf(grains.array('group') ?? []);
    const several = groups !== null && groups[1] > groups[0] && this.fields.some((field) => field.key === 'group');
    return several ? 'group' : this.fields[0]!.key;
  }

  // The range of a field over frames spread evenly over the run. A growing run is asked again when it has doubled.
  private async findRange(field: Field): Promise<void> {
    const known = this.ranges.get(field.key);
    if (known && this.times.length < 2 * known.frames) return;
    this.ranges.set(field.key, { range: known?.range ?? null, frames: this.times.length });
    const most = Math.min(60, Math.max(3, Math.floor(ROWS_FOR_RANGE / (this.summary.run?.grains ?? 1))));
    const last = this.times.length - 1;
    const chosen = new Set(Array.from({ length: most }, (_, k) => Math.round((k * last) / (most - 1))));
    const needs = this.meshes.size > 0 ? [...field.needs, ...SHAPE_FIELDS] : field.needs;
    let range: [number, number] | null = null;
    for (const frame of chosen) {
      const grains = await this.store.get(frame, 'grains', needs).catch(() => null);
      const contacts = field.needsContacts ? await this.store.get(frame, 'contacts', CONTACT_FIELDS).catch(() => null) : null;
      const here = grains && rangeOf(field.evaluate(grains, contacts, this.dimension));
      if (here) range = range ? [Math.min(range[0], here[0]), Math.max(range[1], here[1])] : here;
    }
    this.ranges.set(field.key, { range, frames: this.times.length });
    if (field.key === this.fieldKey) this.recolor();
  }

  private putGrains(grains: Pack, values: Float32Array): void {
    const positions = grains.array('position')!;
    let radii: ArrayLike<number> = grains.array('radius')!;
    // Discs lie in the open; of very many grains it would take too long.
    const around = this.shading && this.dimension === 3 && radii.length <= MANY_GRAINS ? surroundings(grains, this.dimension) : null;
    const shape = grains.array('shape');
    const turns = grains.array('orientation');
    if (shape && turns && this.meshes.size > 0) {
      // Grains with a mesh are drawn by it; the others stay spheres.
      const names = grains.names('shape_names');
      const rows = new Map<Shape, number[]>();
      for (const mesh of this.meshes.values()) if (mesh) rows.set(mesh, []);
      const left = Float32Array.from(radii);
      for (let k = 0; k < left.length; ++k) {
        const mesh = this.meshes.get(names[shape[k]!] ?? '');
        if (!mesh) continue;
        rows.get(mesh)!.push(k);
        left[k] = 0;
      }
      for (const [mesh, list] of rows) mesh.set(list, positions, turns, grains.array('scale'), values, around);
      radii = left;
    }
    this.stage.grains.set(positions, radii, values);
    this.stage.grains.shadeBy(around);
  }

  // The edges of each cell, without those between parts of one face; all edges where there are too many to sort out.
  private putCells(cells: Pack | null): void {
    if (cells === this.cellsShown) return;
    this.cellsShown = cells;
    const points = cells?.array('position') ?? [];
    const triangles = cells?.array('triangles') ?? [];
    if (triangles.length < 3 * MOST_CELL_TRIANGLES) return this.stage.cells.set(creases(points, triangles, 0.9999, cells?.array('triangle_id')));
    const pairs = new Uint32Array(2 * triangles.length);
    for (let k = 0; k < triangles.length; ++k) pairs.set([triangles[k]!, triangles[k % 3 === 2 ? k - 2 : k + 1]!], 2 * k);
    this.stage.cells.set(points, pairs);
  }

  private putContacts(contacts: Pack | null): void {
    // A run by events has no contacts that last.
    this.stage.tubes.mesh.visible = this.chains && (contacts?.array('line_normal_force')?.length ?? 0) > 0;
    this.forceLegend.root.hidden = !this.stage.tubes.mesh.visible;
    if (!contacts || !this.stage.tubes.mesh.visible) return;
    const { ends, forces } = chains(contacts.floats('position') ?? new Float32Array(), contacts.array('line_normal_force') ?? []);
    this.chainForces = forces;
    this.stage.tubes.set(ends, forces);
    this.sizeChains();
    // Faded grains let the chains show; where there are no contacts, as in runs by events, nothing would be left to see.
    if (!this.faded) this.setOpacity(0.12);
    this.faded = true;
  }

  // A mean force is as thick as a fifth of a mean grain.
  private sizeChains(): void {
    const forces = this.chainForces;
    const radii = this.shown?.grains.array('radius');
    if (!radii || forces.length === 0) return;
    let mean = 0;
    let most = 0;
    for (let k = 0; k < forces.length; ++k) {
      mean += forces[k]! / forces.length;
      most = Math.max(most, forces[k]!);
    }
    let radius = 0;
    for (let k = 0; k < radii.length; ++k) radius += radii[k]! / radii.length;
    const uniforms = this.stage.tubes.uniforms;
    uniforms.thickness.value = (0.14 * radius * this.thickness) / (mean || 1);
    uniforms.thickest.value = 0.8 * radius * Math.max(1, this.thickness);
    uniforms.least.value = this.threshold * mean;
    uniforms.low.value = 0;
    uniforms.scale.value = 1 / (Math.min(most, 5 * mean) || 1);
    this.forceLegend.show({ title: 'Force of contacts', unit: 'N', map: 'ember', low: 0, high: Math.min(most, 5 * mean), categories: null });
    this.stage.request();
  }

  private boxOf(grains: Pack): THREE.Box3 {
    const positions = grains.array('position')!;
    const radii = grains.array('radius')!;
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (let k = 0; k < radii.length; ++k) {
      const r = radii[k]!;
      point.fromArray(positions, 3 * k);
      box.expandByPoint(point.addScalar(r));
      box.expandByPoint(point.addScalar(-2 * r));
    }
    return box;
  }

  // What there is to see at the start and at the end of the run, so that it does not depend on the frame that is shown.
  private async fit(): Promise<void> {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (const frame of new Set([0, this.times.length - 1])) {
      if (frame < 0) return;
      const grains = await this.store.get(frame, 'grains', this.neededFields()).catch(() => null);
      if (grains) box.union(this.boxOf(grains));
      this.stage.walls.set(await this.store.get(frame, 'walls', ['wall']).catch(() => null));
    }
    // Walls belong to the picture unless they reach far beyond the grains, as a plane does.
    const walls = this.stage.walls.bounds;
    const size = box.isEmpty() ? 0 : box.getSize(point).length();
    if (!walls.isEmpty() && (size === 0 || walls.getSize(point).length() < 6 * size)) box.union(walls);
    if (box.isEmpty()) return;
    this.stage.box.copy(box);
    box.getBoundingSphere(this.stage.extent);
    this.fitted = true;
    this.stage.look('diagonal');
  }

  // The grains of this frame fill the picture, from where it is seen now.
  lookAtGrains(): void {
    if (this.shown && this.shown.grains.count('id') > 0) this.stage.lookAt(this.boxOf(this.shown.grains));
  }

  // ------------------------------------------------------------------ color

  async colorBy(key: string): Promise<void> {
    this.fieldKey = key;
    this.panel.field.value = key;
    this.fixed = { low: null, high: null };
    this.panel.low.value = this.panel.high.value = '';
    await this.refresh();
  }

  private recolor(): void {
    const field = this.fields.find((candidate) => candidate.key === this.fieldKey);
    if (!field) return;
    const names = field.categories ? this.shown?.grains.names(field.categories) : undefined;
    const seen = this.ranges.get(field.key)?.range ?? (this.shown && rangeOf(field.evaluate(this.shown.grains, this.shown.contacts, this.dimension))) ?? [0, 1];
    const [seenLow, seenHigh] = field.categories ? seen : roundRange(...seen);
    const categories = names && names.length > 0 ? names : field.categories ? Array.from({ length: Math.min(256, seenHigh + 1) }, (_, k) => String(k)) : null;
    const own = (field.key === 'group' && this.shown?.grains.names('group_colors')) || [];
    const low = categories ? 0 : (this.fixed.low ?? seenLow);
    const high = categories ? 255 : (this.fixed.high ?? seenHigh);
    const { colors, low: first, scale } = this.stage.uniforms;
    // Where all are equal, the middle of the map.
    first.value = high > low ? low : low - 0.5;
    scale.value = high > low ? 1 / (high - low) : 1;
    (colors.value.image.data as Uint8Array).set(colorTable(categories ? own : this.map));
    colors.value.needsUpdate = true;
    (this.stage.forceColors.image.data as Uint8Array).set(colorTable('ember'));
    this.stage.forceColors.needsUpdate = true;
    this.panel.low.placeholder = categories ? '' : tell(low);
    this.panel.high.placeholder = categories ? '' : tell(high);
    for (const input of [this.panel.low, this.panel.high, this.panel.map]) input.disabled = categories !== null;
    this.legend.show({ title: field.label, unit: categories ? '' : field.unit, map: this.map, low, high, categories, colors: own });
    this.stage.request();
  }

  nextField(): void {
    const at = this.fields.findIndex((field) => field.key === this.fieldKey);
    if (this.fields.length > 0) void this.colorBy(this.fields[(at + 1) % this.fields.length]!.key);
  }

  // ------------------------------------------------------------------ what is shown

  setWalls(on: boolean): void {
    this.stage.walls.group.visible = this.panel.walls.checked = on;
    this.stage.request();
    this.keepLink();
  }

  get wallsShown(): boolean {
    return this.stage.walls.group.visible;
  }

  get chainsShown(): boolean {
    return this.chains;
  }

  async setChains(on: boolean): Promise<void> {
    this.chains = this.panel.chains.checked = on;
    if (!on && this.faded) this.setOpacity(1);
    this.faded = false;
    await this.refresh();
    if (on && !this.stage.tubes.mesh.visible) this.say('There are no contacts in this frame.');
  }

  private setOpacity(value: number): void {
    this.opacity = value;
    this.panel.opacity.value = String(value);
    this.stage.uniforms.opacity.value = value;
    this.stage.grains.fade(this.opacity);
    for (const shape of this.meshes.values()) shape?.fade(this.opacity);
    this.stage.request();
  }

  clip(axis: 'none' | 'x' | 'y' | 'z' | 'view', part: number, flip: boolean): void {
    this.panel.clipAxis.value = axis;
    if (axis === 'none') return this.stage.clip(null);
    const normal = new THREE.Vector3();
    if (axis === 'view') normal.copy(this.stage.controls.object.position).sub(this.stage.controls.target).normalize();
    else normal.setComponent(['x', 'y', 'z'].indexOf(axis), axis === 'y' && this.dimension === 3 ? -1 : 1);
    if (flip) normal.negate();
    const { center, radius } = this.stage.extent;
    this.stage.clip(normal, normal.dot(center) + (2 * part - 1) * radius * 0.8);
  }

  toggleClip(): void {
    const axis = this.panel.clipAxis.value === 'none' ? (this.dimension === 3 ? 'y' : 'x') : 'none';
    this.clip(axis, Number(this.panel.clipOffset.value), false);
  }

  // ------------------------------------------------------------------ selection

  select(id: number | null): void {
    this.selectedId = id;
    this.followedAt = null;
    if (id === null) this.follow(false);
    void this.showSelection();
  }

  private async showSelection(): Promise<void> {
    const shown = this.shown;
    const id = this.selectedId;
    const at = shown && id !== null ? rowOfId(shown.grains.array('id')!, id) : -1;
    this.stage.uniforms.selected.value = at;
    this.stage.request();
    if (!shown || id === null) return this.selection.show(null, null);
    if (at >= 0) {
      const here = new THREE.Vector3().fromArray(shown.grains.array('position')!, 3 * at);
      if (this.following && this.followedAt) this.stage.shift(here.clone().sub(this.followedAt));
      this.followedAt = here;
    }
    const state = await this.source.grain(shown.frame, id).catch(() => null);
    if (this.shown === shown && this.selectedId === id) this.selection.show(id, state);
  }

  follow(on: boolean): void {
    this.following = this.selection.follow.checked = on && this.selectedId !== null;
    if (this.following && this.followedAt) this.stage.shift(this.followedAt.clone().sub(this.stage.controls.target));
  }

  get isFollowing(): boolean {
    return this.following;
  }

  private watchPointer(): void {
    const canvas = this.stage.renderer.domElement;
    let from: { x: number; y: number } | null = null;
    canvas.addEventListener('pointerdown', (event) => (from = event.button === 0 ? { x: event.clientX, y: event.clientY } : null));
    canvas.addEventListener('pointerup', (event) => {
      // A click, not a drag.
      if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4 || !this.shown) return;
      const at = this.stage.pick(event.clientX, event.clientY);
      this.select(at < 0 ? null : (this.shown.grains.array('id')![at] ?? null));
    });
  }

  // ------------------------------------------------------------------ time

  togglePlay(): void {
    if (this.playing) return this.pause();
    if (this.times.length < 2) return;
    this.playing = true;
    void this.playOn();
  }

  pause(): void {
    this.playing = false;
    this.updateTimeline();
  }

  private async playOn(): Promise<void> {
    if (this.frame >= this.times.length - 1) await this.go(0);
    let begun = performance.now();
    let first = this.frame;
    let speed = this.framesPerSecond;
    while (this.playing) {
      await new Promise((done) => requestAnimationFrame(done));
      if (speed !== this.framesPerSecond) [begun, first, speed] = [performance.now(), this.frame, this.framesPerSecond];
      // Frames that come too late are left out, so that the speed is what was asked for.
      let next = first + Math.floor(((performance.now() - begun) / 1000) * speed);
      if (next === this.frame) continue;
      if (next >= this.times.length) {
        if (this.frame < this.times.length - 1) next = this.times.length - 1;
        else if (this.looping) [begun, first, next] = [performance.now(), 0, 0];
        else return this.pause();
      }
      await this.go(next);
    }
  }

  setLoop(on: boolean): void {
    this.looping = on;
    this.timeline.loop.setAttribute('aria-pressed', String(on));
  }

  private frameAt(time: number): number {
    let best = 0;
    this.times.forEach((here, k) => { if (Math.abs(here - time) < Math.abs(this.times[best]! - time)) best = k; });
    return best;
  }

  private updateTimeline(): void {
    this.timeline.update({ frames: this.times.length, frame: this.frame, playing: this.playing, time: this.times[this.frame] ?? 0, end: this.times[this.times.length - 1] ?? 0 },
      this.source.live && this.summary.run?.status === 'running');
  }

  // ------------------------------------------------------------------ a run that grows

  private watch(): void {
    const pause = this.summary.run?.status === 'running' ? 1000 : 5000;
    window.setTimeout(() => void this.lookForMore().finally(() => this.watch()), pause);
  }

  private async lookForMore(): Promise<void> {
    let next: Summary;
    try {
      next = await this.source.summary(this.times.length);
      document.documentElement.dataset['connected'] = 'yes';
    } catch {
      document.documentElement.dataset['connected'] = 'no';
      this.badge.textContent = 'server has ended';
      this.badge.className = 'badge failed';
      return;
    }
    const before = this.summary;
    this.summary = next;
    const resumed = next.run?.resumes !== before.run?.resumes;
    if (next.frames < this.times.length || resumed) {
      // The run was cut back and goes on: what was read may have been replaced.
      this.summary = await this.source.summary(0);
      this.times.splice(0, this.times.length, ...this.summary.times);
      this.store.clear();
      this.curves.clear();
      await this.go(Math.min(this.frame, this.times.length - 1));
    } else this.times.push(...next.times);
    if (next.series_bytes !== before.series_bytes || resumed) await this.readSeries();
    this.panel.edges.input.disabled = next.triangulation.length === 0;
    this.panel.cells.input.disabled = next.cells.length === 0;
    this.describe();
    this.updateTimeline();
    if (next.times.length > 0 && this.newest && !this.playing) await this.go(Infinity);
  }

  private async readSeries(): Promise<void> {
    for (const name of [undefined, ...(this.summary.measures ?? [])]) {
      const table = name === undefined ? this.curves.series : this.curves.measure(name);
      for (;;) {
        const text = await this.source.series(table.bytesRead, name).catch(() => '');
        if (!text) break;
        table.add(text);
        if (!this.source.live) break;
      }
    }
    if (!this.plot.root.hidden) this.plot.update();
  }

  private describe(): void {
    const run = this.summary.run ?? {};
    const status = run.status ?? 'unknown';
    this.badge.textContent = this.source.live ? status : 'exported';
    this.badge.className = `badge ${status}`;
    const rows: [string, string][] = [['folder', this.summary.name]];
    const add = (name: string, value: unknown, unit = '') => {
      if (typeof value === 'number') rows.push([name, `${tell(value)}${unit && ` ${unit}`}`]);
      else if (typeof value === 'string' && value) rows.push([name, value]);
    };
    add('status', status);
    add('message', run.message);
    if (run.grains !== undefined) rows.push(['grains', run.grains.toLocaleString('en')]);
    if (run.contacts !== undefined) rows.push(['contacts', run.contacts.toLocaleString('en')]);
    add('dimension', run.dimension);
    add('time', run.time, 's');
    add('duration', run.duration, 's');
    add('time step', run.time_step, 's');
    add('steps', run.steps);
    add('largest overlap', run.max_overlap);
    rows.push(['frames', this.summary.frames_of_run ? `${this.times.length} of ${this.summary.frames_of_run}` : String(this.times.length)]);
    if ((this.summary.share_of_grains ?? 1) < 1) rows.push(['grains shown', `${tell(100 * this.summary.share_of_grains!)} %`]);
    add('made by scree', run.version);
    this.panel.describe(rows);
  }

  private async showScene(): Promise<void> {
    if (this.panel.sceneSection.open) this.panel.scene.textContent = await this.source.scene().catch(() => 'not available');
  }

  // ------------------------------------------------------------------ the page

  private topBar(): HTMLElement {
    const title = this.summary.run?.title || this.summary.name;
    document.title = `${title} – scree`;
    const views = select('Standard view', [['', 'View'], ['diagonal', 'Diagonal'], ['front', 'Front'], ['back', 'Back'], ['left', 'Left'], ['right', 'Right'], ['top', 'Top'], ['bottom', 'Bottom'], ['grains', 'Close to the grains']], (value) => {
      if (value === 'grains') this.lookAtGrains();
      else if (value) this.stage.look(value as StandardView);
      views.value = '';
    });
    const capture = select('Save', [['', 'Save'], ['png', 'Picture (PNG)'], ['webm', 'Film (WebM)'], ['zip', 'All frames (ZIP of PNG)'], ['scene', 'Scene file (TOML)']], (value) => {
      capture.value = '';
      if (value === 'png') void this.screenshot();
      else if (value === 'scene') void this.saveScene();
      else if (value === 'webm' || value === 'zip') void this.record(value);
    });
    return el('header', { class: 'top' }, el('h1', {}, title), this.badge, el('span', { class: 'space' }),
      ...(this.dimension === 3 ? [views] : [iconButton('fit', 'Show everything', () => this.stage.look('front'))]),
      capture, iconButton('camera', 'Save the picture (S)', () => void this.screenshot()), iconButton('chart', 'Plots (P)', () => this.togglePlot()),
      iconButton('panel', 'Settings', () => { this.panel.root.hidden = !this.panel.root.hidden; }),
      iconButton('theme', 'Dark or light (T)', () => this.switchTheme()), iconButton('help', 'Help (?)', () => this.help.toggle()));
  }

  togglePlot(): void {
    this.plot.root.hidden = !this.plot.root.hidden;
    if (!this.plot.root.hidden) this.plot.update();
  }

  toggleHelp(): void {
    this.help.toggle();
  }

  private savedTheme(): string {
    let saved: string | null = null;
    try { saved = localStorage.getItem('scree-theme'); } catch { /* a page from disk may keep nothing */ }
    return saved ?? (window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  }

  private setTheme(theme: string): void {
    document.documentElement.dataset['theme'] = theme;
    const style = getComputedStyle(document.documentElement);
    this.stage.background(style.getPropertyValue('--stage').trim());
    this.stage.walls.tint(style.getPropertyValue('--wall').trim());
    this.plot.draw();
  }

  switchTheme(): void {
    const theme = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('scree-theme', theme); } catch { /* as above */ }
    this.setTheme(theme);
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === '';
  }

  async screenshot(): Promise<void> {
    save(await this.camera.png(this.times[this.frame] ?? 0), `${this.summary.name}_${String(this.frame).padStart(6, '0')}.png`);
  }

  private async saveScene(): Promise<void> {
    const text = await this.source.scene().catch(() => '');
    if (!text) return this.say('The scene of this run is not there.');
    save(new Blob([text], { type: 'application/toml' }), `${this.summary.name}.toml`);
  }

  // From the current frame to the end; from the start when it is the last one.
  async record(kind: 'webm' | 'zip'): Promise<void> {
    if (this.filming || this.times.length === 0) return;
    this.pause();
    this.filming = true;
    const stop = () => (this.filming = false);
    this.stage.renderer.domElement.addEventListener('pointerdown', stop, { once: true });
    const first = this.frame >= this.times.length - 1 ? 0 : this.frame;
    const frames = Array.from({ length: this.times.length - first }, (_, k) => first + k);
    const show = async (frame: number) => {
      await this.go(frame);
      this.say(`Recording frame ${frame} of ${this.times.length - 1}; click the picture to stop.`);
      return this.times[frame] ?? 0;
    };
    try {
      const goes = () => this.filming;
      const blob = kind === 'webm' ? await this.camera.film(frames, this.framesPerSecond, show, goes) : await this.camera.pictures(frames, show, goes);
      save(blob, `${this.summary.name}.${kind}`);
      this.say('');
    } catch (error) {
      this.say(`Recording failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.filming = false;
      this.stage.renderer.domElement.removeEventListener('pointerdown', stop);
    }
  }
}
