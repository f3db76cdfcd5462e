// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LinearFilter,
  LineSegments,
  Mesh,
  PerspectiveCamera,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { paletteBytes, partColour } from "./colours";
import { edgeFragment, edgeVertex, surfaceFragment, surfaceVertex } from "./shaders";
import { seenChunks, seenEdges, seenTriangles, tilts, type Surface } from "./surface";

export type Edges = "none" | "sharp" | "all";
export interface Cut {
  axis: 0 | 1 | 2;
  at: number; // 0 .. 1 of the box
  flipped: boolean;
}
export interface Hit {
  point: number; // nearest to it
  corners: [number, number, number]; // points
  weights: [number, number, number];
}

const gap = 2e29;

/** Whether a processor draws in the place of a GPU. */
function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(context!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Draws the surface; knows nothing of the controls beside it. */
export class Viewer {
  readonly renderer: WebGLRenderer;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  framesDrawn = 0;
  onDraw: () => void = () => {};

  private readonly scene = new Scene();
  private readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly lines: LineSegments<BufferGeometry, ShaderMaterial>;
  private readonly ghost: LineSegments<BufferGeometry, ShaderMaterial>;
  private readonly first: BufferAttribute;
  private readonly second: BufferAttribute;
  private readonly tilt: BufferAttribute;
  private readonly secondTilt: BufferAttribute;
  private readonly software = isSoftware();
  private moving = false;
  private readonly values: BufferAttribute;
  private readonly shared = {
    deformation: { value: new Vector2(0, 0) },
    cut: { value: new Vector4(0, 0, 0, 1e30) },
  };
  private firstPoints: Float32Array | null = null;
  private secondPoints: Float32Array | null = null;
  private valuesFirst: Float32Array | null = null;
  private valuesSecond: Float32Array | null = null;
  private ranges: [number, number][] = [];
  private seen: boolean[] = [];
  private edges: Edges = "sharp";
  private asked = false;
  private ratio = 1; // of pixels, lower while a slow machine moves the picture
  private lastMotion = 0;
  private intervals: number[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly surface: Surface,
  ) {
    this.renderer = new WebGLRenderer({ antialias: !this.software, alpha: true, powerPreference: "high-performance" });
    this.renderer.setClearAlpha(0);
    this.host.append(this.renderer.domElement);
    this.camera = new PerspectiveCamera(26, 1, surface.size / 100, surface.size * 20);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.moved());

    const vertices = surface.pointOf.length;
    const positions = new Float32Array(3 * vertices);
    const tints = new Float32Array(3 * vertices);
    for (let v = 0; v < vertices; ++v) {
      const point = 3 * surface.pointOf[v];
      for (let k = 0; k < 3; ++k) positions[3 * v + k] = surface.points[point + k];
      const colour = partColour(surface.model.chunks[surface.chunkOf[v]]?.parts[0] ?? 0);
      for (let k = 0; k < 3; ++k) tints[3 * v + k] = colour[k] / 255;
    }
    this.first = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.second = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.tilt = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.secondTilt = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.values = new BufferAttribute(new Float32Array(2 * vertices), 2);
    const place = new BufferAttribute(positions, 3);
    const geometryOf = (): BufferGeometry => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", place);
      geometry.setAttribute("first", this.first);
      geometry.setAttribute("second", this.second);
      return geometry;
    };

    const texture = new DataTexture(paletteBytes("lake"), 256, 1);
    texture.minFilter = texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    const solid = geometryOf();
    solid.setAttribute("normal", new BufferAttribute(surface.normals, 3));
    solid.setAttribute("tilt", this.tilt);
    solid.setAttribute("secondTilt", this.secondTilt);
    solid.setAttribute("values", this.values);
    solid.setAttribute("tint", new BufferAttribute(tints, 3));
    this.mesh = new Mesh(
      solid,
      new ShaderMaterial({
        vertexShader: surfaceVertex,
        fragmentShader: surfaceFragment,
        side: surface.model.sheets ? DoubleSide : FrontSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
        uniforms: {
          ...this.shared,
          weights: { value: new Vector2(1, 0) },
          palette: { value: texture },
          range: { value: new Vector2(0, 1) },
          bands: { value: 0 },
          inside: { value: new Color(0.5, 0.5, 0.52) },
        },
      }),
    );
    const lineMaterial = (uniforms: ShaderMaterial["uniforms"]): ShaderMaterial =>
      new ShaderMaterial({ vertexShader: edgeVertex, fragmentShader: edgeFragment, transparent: true, uniforms });
    this.lines = new LineSegments(
      geometryOf(),
      lineMaterial({ ...this.shared, colour: { value: new Vector4(0, 0, 0, 0.55) } }),
    );
    this.ghost = new LineSegments(
      geometryOf(),
      lineMaterial({
        deformation: { value: new Vector2(0, 0) },
        cut: this.shared.cut,
        colour: { value: new Vector4(0.5, 0.5, 0.5, 0.6) },
      }),
    );
    this.ghost.visible = false;
    if (this.software) this.define(this.mesh, "SIMPLE", true);
    for (const drawn of [this.mesh, this.lines, this.ghost]) {
      drawn.frustumCulled = false;
      this.scene.add(drawn);
    }
    this.setParts(surface.model.parts.map(() => true));
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.look([1.1, -1.5, 0.85]);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Draws once, soon. */
  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.drawNow();
    });
  }

  drawNow(): void {
    this.renderer.render(this.scene, this.camera);
    ++this.framesDrawn;
    this.onDraw();
  }

  /** Something moves: where frames come slowly, they get fewer pixels and edges until it is still again. */
  moved(): void {
    const now = performance.now();
    const interval = now - this.lastMotion;
    this.lastMotion = now;
    if (!this.moving) {
      this.moving = true;
      this.intervals = [];
      if (this.software && this.ratio === 1) this.setRatio(0.7);
      window.setTimeout(() => this.rest(), 400);
    } else {
      this.intervals.push(interval);
      if (this.intervals.length >= 5) {
        const mean = this.intervals.reduce((a, b) => a + b, 0) / this.intervals.length;
        this.intervals = [];
        if (mean > 28 && this.edges === "all" && !this.fewEdges) this.setFewEdges(true);
        else if (mean > 28 && this.ratio > 0.5) this.setRatio(Math.max(0.5, 0.8 * this.ratio));
      }
    }
    this.draw();
  }

  private fewEdges = false;

  private setFewEdges(few: boolean): void {
    this.fewEdges = few;
    this.indexEdges();
  }

  private rest(): void {
    if (performance.now() - this.lastMotion < 350) {
      window.setTimeout(() => this.rest(), 400);
      return;
    }
    this.moving = false;
    if (this.fewEdges) this.setFewEdges(false);
    if (this.ratio !== 1) this.setRatio(1);
    this.draw();
  }

  private setRatio(ratio: number): void {
    this.ratio = ratio;
    this.resize();
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.ratio);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** From this direction, all of it in sight. */
  look(direction: [number, number, number]): void {
    const towards = new Vector3(...direction).normalize();
    // From straight above there is no up but y.
    this.camera.up.set(0, 0, 1);
    if (Math.abs(towards.z) > 0.999) towards.set(0, -1e-3, Math.sign(towards.z)).normalize();
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(towards.multiplyScalar(this.distanceOf()));
    this.controls.update();
    this.moved();
  }

  fit(): void {
    const towards = this.camera.position.clone().sub(this.controls.target).normalize();
    this.look([towards.x, towards.y, towards.z]);
  }

  private distanceOf(): number {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(1, this.camera.aspect);
    return (0.5 * this.surface.size) / (Math.sin(half) * narrow);
  }

  /** Angles in radians, to the right and up. */
  turn(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(new Vector3(0, 0, 1), -right);
    const side = new Vector3().crossVectors(new Vector3(0, 0, 1), offset).normalize();
    const polar = Math.acos(Math.min(1, Math.max(-1, offset.z / offset.length())));
    const change = Math.min(Math.max(polar - up, 0.02), Math.PI - 0.02) - polar;
    offset.applyAxisAngle(side, change);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.moved();
  }

  /** Shares of the height of the picture. */
  shift(right: number, up: number): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const height = 2 * distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const step = new Vector3()
      .setFromMatrixColumn(this.camera.matrix, 0)
      .multiplyScalar(right * height)
      .add(new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * height));
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.controls.update();
    this.moved();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.moved();
  }

  /** [points, 3] each; null: none. */
  setDisplacements(first: Float32Array | null, second: Float32Array | null): void {
    if (this.firstPoints !== first) {
      this.spread(first, this.first, 3);
      this.setTilts(first, this.tilt);
    }
    if (this.secondPoints !== second) {
      this.spread(second, this.second, 3);
      this.setTilts(second, this.secondTilt);
    }
    this.firstPoints = first;
    this.secondPoints = second;
    for (const drawn of [this.mesh, this.lines]) this.define(drawn, "SECOND", second !== null);
    this.draw();
  }

  private spread(from: Float32Array | null, to: BufferAttribute, components: number): void {
    const { pointOf } = this.surface;
    const array = to.array as Float32Array;
    if (!from) array.fill(0);
    else {
      for (let v = 0; v < pointOf.length; ++v)
        for (let k = 0; k < components; ++k) {
          const value = from[components * pointOf[v] + k];
          array[components * v + k] = Number.isNaN(value) ? 0 : value;
        }
    }
    to.needsUpdate = true;
  }

  private setTilts(displacements: Float32Array | null, to: BufferAttribute): void {
    const array = to.array as Float32Array;
    if (displacements) tilts(this.surface, displacements, array);
    else array.fill(0);
    to.needsUpdate = true;
  }

  setDeformation(first: number, second = 0): void {
    this.shared.deformation.value.set(first, second);
    this.draw();
  }

  /** [points] each; first null: parts have colours of their own. */
  setValues(first: Float32Array | null, second: Float32Array | null = null): void {
    this.define(this.mesh, "COLOURED", first !== null);
    if (first && (first !== this.valuesFirst || second !== this.valuesSecond)) {
      const { pointOf } = this.surface;
      const to = this.values.array as Float32Array;
      for (let v = 0; v < pointOf.length; ++v) {
        const a = first[pointOf[v]];
        const b = second ? second[pointOf[v]] : 0;
        to[2 * v] = Number.isNaN(a) ? gap : a;
        to[2 * v + 1] = Number.isNaN(b) ? 0 : b;
      }
      this.values.needsUpdate = true;
    }
    this.valuesFirst = first;
    this.valuesSecond = second;
    this.draw();
  }

  setWeights(first: number, second: number): void {
    (this.mesh.material.uniforms.weights.value as Vector2).set(first, second);
    this.draw();
  }

  setRange(low: number, high: number): void {
    (this.mesh.material.uniforms.range.value as Vector2).set(low, high > low ? high : low + Math.abs(low) * 1e-6 + 1e-30);
    this.draw();
  }

  setPalette(name: string, bands: number): void {
    const texture = this.mesh.material.uniforms.palette.value as DataTexture;
    (texture.image.data as Uint8Array).set(paletteBytes(name));
    texture.needsUpdate = true;
    this.mesh.material.uniforms.bands.value = bands;
    this.draw();
  }

  setParts(isOn: boolean[]): void {
    this.seen = seenChunks(this.surface.model, isOn);
    const { corners, ranges } = seenTriangles(this.surface, this.seen);
    this.ranges = ranges;
    this.mesh.geometry.setIndex(new BufferAttribute(corners, 1));
    this.setEdges(this.edges);
  }

  setEdges(edges: Edges): void {
    this.edges = edges;
    this.indexEdges();
    this.draw();
  }

  private indexEdges(): void {
    const all = this.edges === "all" && !this.fewEdges;
    this.lines.visible = this.edges !== "none";
    this.lines.geometry.setIndex(new BufferAttribute(seenEdges(this.surface, this.seen, all), 1));
    this.ghost.geometry.setIndex(new BufferAttribute(seenEdges(this.surface, this.seen, false), 1));
  }

  setGhost(shown: boolean): void {
    this.ghost.visible = shown;
    this.draw();
  }

  setCut(cut: Cut | null): void {
    const plane = this.shared.cut.value;
    if (!cut) plane.set(0, 0, 0, 1e30);
    else {
      const { low, high } = this.surface.model;
      const half = (high[cut.axis] - low[cut.axis]) / 2;
      // The ends lie a little outside, so that there all or nothing is seen.
      const at = (2 * cut.at - 1) * (half * 1.1 + 0.06 * this.surface.size);
      const sign = cut.flipped ? -1 : 1;
      plane.set(cut.axis === 0 ? sign : 0, cut.axis === 1 ? sign : 0, cut.axis === 2 ? sign : 0, sign * at);
    }
    for (const drawn of [this.mesh, this.lines, this.ghost]) this.define(drawn, "CUT", cut !== null);
    this.mesh.material.side = cut || this.surface.model.sheets ? DoubleSide : FrontSide;
    this.draw();
  }

  private define(drawn: { material: ShaderMaterial }, name: string, on: boolean): void {
    if ((name in drawn.material.defines) === on) return;
    if (on) drawn.material.defines[name] = 1;
    else delete drawn.material.defines[name];
    drawn.material.needsUpdate = true;
  }

  setInk(dark: boolean): void {
    const ink = dark ? 0.02 : 0.08;
    (this.lines.material.uniforms.colour.value as Vector4).set(ink, ink, ink + 0.03, dark ? 0.7 : 0.5);
    const pale = dark ? 0.75 : 0.35;
    (this.ghost.material.uniforms.colour.value as Vector4).set(pale, pale, pale, 0.5);
    this.draw();
  }

  /** Where a point is now, [3]. */
  place(point: number): [number, number, number] {
    const { x: a, y: b } = this.shared.deformation.value;
    const at = 3 * point;
    return [0, 1, 2].map(
      (k) =>
        this.surface.points[at + k] +
        (this.firstPoints ? a * this.firstPoints[at + k] : 0) +
        (this.secondPoints ? b * this.secondPoints[at + k] : 0),
    ) as [number, number, number];
  }

  /** In pixels of the host; null: behind the eye. */
  onScreen(point: number): [number, number] | null {
    const at = new Vector3(...this.place(point)).project(this.camera);
    if (at.z > 1) return null;
    return [((at.x + 1) / 2) * this.host.clientWidth, ((1 - at.y) / 2) * this.host.clientHeight];
  }

  /** What is seen at a pixel of the host, deformed and cut as it is drawn. */
  pick(x: number, y: number): Hit | null {
    const ndc = new Vector3((2 * x) / this.host.clientWidth - 1, 1 - (2 * y) / this.host.clientHeight, 0.5);
    this.camera.updateMatrixWorld();
    const from = this.camera.position;
    const ray = ndc.unproject(this.camera).sub(from).normalize();
    const { points, triangles } = this.surface;
    const { x: a, y: b } = this.shared.deformation.value;
    const first = this.firstPoints;
    const second = this.secondPoints;
    const cut = this.shared.cut.value;
    const at = new Float64Array(9);
    let nearest = Infinity;
    let hit: Hit | null = null;
    for (const [begin, end] of this.ranges) {
      for (let t = 3 * begin; t < 3 * end; t += 3) {
        for (let k = 0; k < 3; ++k) {
          const p = 3 * triangles[t + k];
          for (let i = 0; i < 3; ++i)
            at[3 * k + i] = points[p + i] + (first ? a * first[p + i] : 0) + (second ? b * second[p + i] : 0);
        }
        const e1x = at[3] - at[0];
        const e1y = at[4] - at[1];
        const e1z = at[5] - at[2];
        const e2x = at[6] - at[0];
        const e2y = at[7] - at[1];
        const e2z = at[8] - at[2];
        const px = ray.y * e2z - ray.z * e2y;
        const py = ray.z * e2x - ray.x * e2z;
        const pz = ray.x * e2y - ray.y * e2x;
        const det = e1x * px + e1y * py + e1z * pz;
        if (det === 0) continue;
        const sx = from.x - at[0];
        const sy = from.y - at[1];
        const sz = from.z - at[2];
        const u = (sx * px + sy * py + sz * pz) / det;
        if (!(u >= 0 && u <= 1)) continue;
        const qx = sy * e1z - sz * e1y;
        const qy = sz * e1x - sx * e1z;
        const qz = sx * e1y - sy * e1x;
        const v = (ray.x * qx + ray.y * qy + ray.z * qz) / det;
        if (!(v >= 0 && u + v <= 1)) continue;
        const distance = (e2x * qx + e2y * qy + e2z * qz) / det;
        if (!(distance > 0 && distance < nearest)) continue;
        const hx = from.x + distance * ray.x;
        const hy = from.y + distance * ray.y;
        const hz = from.z + distance * ray.z;
        if (hx * cut.x + hy * cut.y + hz * cut.z > cut.w) continue;
        nearest = distance;
        const weights: [number, number, number] = [1 - u - v, u, v];
        const corners: [number, number, number] = [triangles[t], triangles[t + 1], triangles[t + 2]];
        hit = { point: corners[weights.indexOf(Math.max(...weights))], corners, weights };
      }
    }
    return hit;
  }
}
