// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Report } from "./data";
import { make } from "./dom";
import { savePicture } from "./picture";
import { Panel } from "./panel";
import type { Hit } from "./pick";
import { Player } from "./player";
import { PlotCard } from "./plots";
import { choicesOf, Results, type Choice } from "./results";
import { makeSurface, type Surface } from "./surface";
import { paletteGradient } from "./colours";
import { Viewer } from "./viewer";
import { fieldName, frameName, onScale, short } from "./words";

const keys =
  "Arrow keys turn, with Shift they move; plus and minus zoom; Home shows all. Space plays; comma and full stop " +
  "go to the state before and after; X, Y, Z and I look along an axis or across; M marks the largest value.";

/** The picture with all that is over it and beside it. */
export class ModelView {
  palette = "lake";
  bands = 0;

  private readonly tip = make("div", { class: "tip", "aria-hidden": "true", hidden: true });
  private readonly mark = make("div", { class: "mark", "aria-hidden": "true", hidden: true });
  private readonly said = make("p", { class: "said", role: "status", "aria-live": "polite" });
  private readonly legend = make("div", { class: "legend", role: "img" });
  private readonly stateName = make("div", { class: "state-name", "aria-hidden": "true" });
  private marked: number | null = null;
  private values: Float32Array | null = null;
  private panel!: Panel;
  private pointer: [number, number] | null = null;

  private constructor(
    readonly report: Report,
    readonly surface: Surface,
    readonly results: Results,
    readonly choices: Choice[],
    readonly viewer: Viewer,
    readonly player: Player,
    private readonly addPlot: (card: PlotCard) => void,
    readonly canvasHost: HTMLElement,
  ) {}

  static async make(report: Report, host: HTMLElement, dark: boolean, addPlot: (card: PlotCard) => void): Promise<ModelView> {
    const stage = make("div", { class: "stage" });
    const box = make("div", { class: "model card" }, stage);
    host.append(box);
    const surface = await makeSurface(report.model);
    const canvasHost = make("div", { class: "canvas" });
    stage.append(canvasHost);
    const viewer = new Viewer(canvasHost, surface);
    const results = new Results(report);
    const choices = choicesOf(report);
    const player = new Player(report, surface, results, viewer, choices);
    const view = new ModelView(report, surface, results, choices, viewer, player, addPlot, canvasHost);
    view.setUp(stage, box);
    view.setTheme(dark);
    await view.begin();
    return view;
  }

  private setUp(stage: HTMLElement, box: HTMLElement): void {
    const { canvas } = this.viewer;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `The model, coloured by its results. ${keys}`);
    stage.append(this.stateName, this.legend, this.mark, this.tip);
    this.panel = new Panel(this);
    box.append(this.panel.element, this.said);
    this.player.onChange = () => void this.changed();
    this.viewer.onDraw = () => this.placeMark();
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) return this.hideTip();
      const first = this.pointer === null;
      this.pointer = [event.offsetX, event.offsetY];
      if (first) requestAnimationFrame(() => this.point());
    });
    canvas.addEventListener("pointerleave", () => this.hideTip());
    let pressed: [number, number] = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.offsetX, event.offsetY]));
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) > 4) return;
      const hit = this.viewer.pick(event.offsetX, event.offsetY);
      if (hit) this.markPoint(hit.point);
      else this.unmark();
    });
  }

  /** The first mode, or the last state: what the run was for. */
  private async begin(): Promise<void> {
    const { frames } = this.report;
    const mode = frames.findIndex((frame) => frame.kind === "mode" || frame.kind === "buckling");
    const first = mode >= 0 ? mode : frames.length - 1;
    const frame = frames[first];
    const has = (key: string): boolean =>
      this.choices.some((choice) => choice.key === key && frame?.fields.some((field) => field.name === choice.field));
    const key = ["S_Mises.value", "U.size", "NT.value"].find((one) => (mode >= 0 && one === "S_Mises.value" ? false : has(one)));
    this.player.choice = this.choices.find((choice) => choice.key === key) ?? this.choices[0] ?? null;
    if (frame?.kind === "time") this.player.trueSize = this.movesFar(first);
    await this.player.show(first);
    this.panel.refresh();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (mode >= 0 && !still) this.player.play(true);
  }

  /** Whether a motion is seen as it is. */
  private movesFar(frame: number): boolean {
    const [first, last] = this.player.motion(frame);
    for (let f = first; f <= last; ++f) {
      const field = this.results.field(this.report.frames[f], "U");
      if (!field) continue;
      for (let k = 0; k < field.components; ++k)
        if (Math.max(Math.abs(field.low[k] ?? 0), Math.abs(field.high[k] ?? 0)) > 0.05 * this.surface.size) return true;
    }
    return false;
  }

  setTheme(dark: boolean): void {
    this.viewer.body.setInk(dark);
  }

  setPalette(palette: string, bands: number): void {
    this.palette = palette;
    this.bands = bands;
    this.viewer.body.setPalette(palette, bands);
    this.drawLegend();
  }

  private async changed(): Promise<void> {
    const frame = this.player.current;
    const { choice } = this.player;
    this.values = (frame && choice ? await this.results.scalar(frame, choice) : null) ?? null;
    this.stateName.textContent = frame ? frameName(frame) : "";
    this.drawLegend();
    this.panel.refresh();
    if (!this.player.playing) this.tellMark();
  }

  private drawLegend(): void {
    const { choice, low, high } = this.player;
    const frame = this.player.current;
    const shown = choice && frame && this.results.field(frame, choice.field);
    this.legend.hidden = !choice;
    if (!choice) return;
    if (!shown) {
      this.legend.replaceChildren(make("div", { class: "legend-title" }, `${choice.label}: not in this state`));
      return;
    }
    const ticks = make("div", { class: "ticks" });
    const count = 6;
    for (let i = count; i >= 0; --i) ticks.append(make("span", {}, onScale(low + (i / count) * (high - low), high - low)));
    this.legend.replaceChildren(
      make("div", { class: "legend-title" }, choice.label),
      make("div", { class: "scale" }, make("div", { class: "colours", style: `background:${paletteGradient(this.palette, this.bands)}` }), ticks),
    );
    this.legend.setAttribute("aria-label", `${choice.label} from ${onScale(low, high - low)} to ${onScale(high, high - low)}`);
  }

  valueAt(hit: Hit): number {
    if (!this.values) return NaN;
    let sum = 0;
    for (let k = 0; k < 3; ++k) sum += hit.weights[k] * this.values[hit.corners[k]];
    return sum;
  }

  private point(): void {
    const { pointer } = this;
    this.pointer = null;
    if (!pointer) return;
    const hit = this.viewer.pick(pointer[0], pointer[1]);
    if (!hit) return this.hideTip();
    const value = this.values ? short(this.valueAt(hit), 5) : "";
    const name = this.player.choice?.label ?? "";
    this.tip.replaceChildren(
      make("strong", {}, this.values ? value : ""),
      make("span", {}, name),
      make("span", {}, `node ${this.surface.labels[hit.point]}`),
    );
    this.tip.hidden = false;
    const right = pointer[0] > this.canvasHost.clientWidth - 190;
    this.tip.style.transform = `translate(${pointer[0] + (right ? -14 : 16)}px, ${pointer[1] + 16}px)${right ? " translateX(-100%)" : ""}`;
  }

  private hideTip(): void {
    this.pointer = null;
    this.tip.hidden = true;
  }

  /** Puts a mark at a point and says what is there. */
  markPoint(point: number): void {
    this.marked = point;
    this.tellMark();
    this.placeMark();
    this.panel.refresh();
  }

  unmark(): void {
    this.marked = null;
    this.mark.hidden = true;
    this.said.textContent = "";
    this.panel.refresh();
  }

  get markedNode(): number | null {
    return this.marked === null ? null : this.surface.labels[this.marked];
  }

  private tellMark(): void {
    if (this.marked === null) return;
    const at = [0, 1, 2].map((k) => short(this.surface.points[3 * this.marked! + k] + this.surface.middle[k], 5));
    const value = this.values ? `${this.player.choice?.label} ${short(this.values[this.marked], 5)}, ` : "";
    this.said.textContent = `Node ${this.markedNode}: ${value}at (${at.join(", ")})`;
  }

  private placeMark(): void {
    if (this.marked === null) return;
    const at = this.viewer.onScreen(this.marked);
    this.mark.hidden = at === null;
    if (at) this.mark.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
  }

  /** The node with the largest or smallest value among those that are kept. */
  markExtreme(largest: boolean): void {
    if (!this.values) return;
    let best = -1;
    this.values.forEach((value, point) => {
      if (Number.isNaN(value)) return;
      if (best < 0 || (largest ? value > this.values![best] : value < this.values![best])) best = point;
    });
    if (best >= 0) this.markPoint(best);
  }

  markNode(label: number): boolean {
    const point = this.surface.labels.indexOf(label);
    if (point >= 0) this.markPoint(point);
    else this.said.textContent = `Node ${label} is not on the surface that is shown.`;
    return point >= 0;
  }

  /** Of the node that is marked, over all states like the current one. */
  async plotMarked(): Promise<void> {
    const { choice } = this.player;
    const own = this.player.current;
    if (this.marked === null || !choice || !own) return;
    const frames = this.report.frames.filter((frame) => frame.kind === own.kind && frame.step === own.step);
    const x: number[] = [];
    const y: number[] = [];
    for (const frame of frames) {
      const values = await this.results.scalar(frame, choice);
      if (!values) continue;
      x.push(frame.kind === "mode" || frame.kind === "buckling" ? (frame.number ?? 0) : frame.time);
      y.push(values[this.marked]);
    }
    const over = own.kind === "harmonic" ? "cycles/time" : own.kind === "mode" || own.kind === "buckling" ? "mode" : "time";
    this.addPlot(
      new PlotCard({
        title: `${choice.label} at node ${this.markedNode}, step ${own.step}`,
        x: over,
        y: fieldName(choice.field),
        series: [{ name: choice.label, x, y, points: over === "mode" }],
      }),
    );
  }

  savePicture(): void {
    savePicture(this);
  }

  /** As a picture has it: what stands over the canvas, in words. */
  get captions(): { title: string; state: string; legend: string; low: number; high: number } {
    return {
      title: this.report.title,
      state: this.stateName.textContent ?? "",
      legend: this.player.choice?.label ?? "",
      low: this.player.low,
      high: this.player.high,
    };
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { viewer, player } = this;
    const step = Math.PI / 24;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    const looks: Record<string, [number, number, number]> = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], i: [1.1, -1.5, 0.85] };
    const key = event.key.toLowerCase();
    if (arrow && event.shiftKey) viewer.eye.shift(-0.04 * arrow[0], -0.04 * arrow[1]);
    else if (arrow) viewer.eye.turn(arrow[0] * step, arrow[1] * step);
    else if (key === "+" || key === "=") viewer.eye.zoom(1.15);
    else if (key === "-" || key === "_") viewer.eye.zoom(1 / 1.15);
    else if (key === "home" || key === "f") viewer.eye.fit();
    else if (key === " ") player.play(!player.playing);
    else if (key === "," || key === ".") void this.go(key === "." ? 1 : -1);
    else if (key === "m") this.markExtreme(true);
    else if (looks[key]) viewer.eye.look(looks[key]);
    else return;
    event.preventDefault();
  }

  async go(by: number): Promise<void> {
    const playing = this.player.playing && this.player.motion()[0] === this.player.motion()[1];
    this.player.play(false);
    await this.player.show(this.player.frame + by);
    if (playing) this.player.play(true);
  }
}
