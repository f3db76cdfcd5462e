// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { type PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { Body } from "./body";
import { Eye } from "./eye";
import { Pace, type Quality } from "./pace";
import type { Hit } from "./pick";
import type { Surface } from "./surface";

const untilStill = 350; // ms without motion

/** Whether a processor draws in the place of a GPU. */
function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(context!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Draws the surface, when something of it has changed; knows nothing of the controls beside it. */
export class Viewer {
  readonly body: Body;
  readonly eye: Eye;
  framesDrawn = 0;
  onDraw: () => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly pace: Pace;
  private quality: Quality = Pace.still;
  private asked = false; // for a picture
  private turning = false; // through animation frames
  private moving = false;
  private lastMotion = 0;
  private drawnAt = 0; // 0: not in the animation frame before

  constructor(
    private readonly host: HTMLElement,
    surface: Surface,
  ) {
    const software = isSoftware();
    this.pace = new Pace(software);
    this.renderer = new WebGLRenderer({ antialias: !software, alpha: true, powerPreference: "high-performance" });
    this.renderer.setClearAlpha(0);
    this.host.append(this.canvas);
    this.eye = new Eye(this.canvas, surface.size, () => this.moved());
    this.body = new Body(surface, software, () => this.draw());
    this.scene.add(this.body.mesh, this.body.lines, this.body.ghost);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.eye.look([1.1, -1.5, 0.85]);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  private get camera(): PerspectiveCamera {
    return this.eye.camera;
  }

  /** Draws once, soon. */
  draw(): void {
    this.asked = true;
    if (this.turning) return;
    this.turning = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  /** One animation frame after the other for as long as something moves, so that what one takes is known from the next. */
  private frame(now: number): void {
    if (this.moving) {
      if (this.drawnAt > 0 && this.pace.frame(now - this.drawnAt)) this.setQuality(this.pace.moving);
      if (performance.now() - this.lastMotion > untilStill) this.rest();
    }
    this.drawnAt = 0;
    if (this.asked) {
      this.asked = false;
      this.drawNow();
      this.drawnAt = now;
    }
    this.turning = this.moving || this.asked;
    if (this.turning) requestAnimationFrame((next) => this.frame(next));
  }

  drawNow(): void {
    this.renderer.render(this.scene, this.camera);
    ++this.framesDrawn;
    this.onDraw();
  }

  /** At once and with all there is of it, whatever moves; good for the same turn of the page alone. */
  drawWhole(): void {
    const { quality } = this;
    this.setQuality(Pace.still);
    this.drawNow();
    this.quality = quality;
    if (quality !== Pace.still) requestAnimationFrame(() => this.apply());
  }

  /** Something moves: where frames come slowly, less is drawn until it is still again. */
  moved(): void {
    this.lastMotion = performance.now();
    if (!this.moving) {
      this.moving = true;
      this.pace.begin();
      this.setQuality(this.pace.moving);
    }
    this.draw();
  }

  private rest(): void {
    this.moving = false;
    this.setQuality(Pace.still);
  }

  private setQuality(quality: Quality): void {
    if (quality === this.quality) return;
    this.quality = quality;
    this.apply();
  }

  private apply(): void {
    // It takes the time of several frames, once; what is asked for now is drawn before.
    if (this.quality.coarse > 0) setTimeout(() => this.body.makeCoarse(), 100);
    this.body.setQuality(this.quality);
    this.resize();
  }

  private resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    const ratio = Math.min(window.devicePixelRatio, 2) * this.quality.pixels;
    this.eye.setAspect(width / height);
    this.draw();
    if (this.canvas.width === Math.floor(width * ratio) && this.canvas.height === Math.floor(height * ratio)) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
  }

  /** Where a point is now, [3]. */
  place(point: number): [number, number, number] {
    return this.body.place(point);
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
    return this.body.hit(from, ndc.unproject(this.camera).sub(from).normalize());
  }
}
