// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Frame, Report } from "./data";
import type { Choice, Results } from "./results";
import type { Surface } from "./surface";
import type { Viewer } from "./viewer";

/** A tenth of the model is what the largest displacement is drawn as, until the user says otherwise. */
const shareOfModel = 0.1;

/** Which state is drawn, by what it is coloured, and how far it has moved. */
export class Player {
  frame = 0;
  choice: Choice | null;
  slider = 1; // of the displacements drawn, 1: a tenth of the model
  trueSize = false;
  sameRange: boolean;
  playing = false;
  speed = 1;
  low = 0;
  high = 0;
  onChange: () => void = () => {};

  private began = 0;
  private at = 0; // of a motion, in frames
  private natural = 1; // factor that makes the largest displacement a tenth of the model
  private shown = 0; // counts what was asked for, so that what comes late is dropped

  constructor(
    private readonly report: Report,
    private readonly surface: Surface,
    private readonly results: Results,
    private readonly viewer: Viewer,
    private readonly choices: Choice[],
  ) {
    this.choice = choices[0] ?? null;
    this.sameRange = false;
  }

  get current(): Frame | undefined {
    return this.report.frames[this.frame];
  }

  /** The frames that play together with the current one: those of its step, if it is a motion in time. */
  motion(frame = this.frame): [number, number] {
    const { frames } = this.report;
    const own = frames[frame];
    if (!own || own.kind !== "time") return [frame, frame];
    const same = (other: Frame | undefined): boolean => other?.kind === "time" && other.step === own.step;
    let first = frame;
    let last = frame;
    while (same(frames[first - 1])) --first;
    while (same(frames[last + 1])) ++last;
    return [first, last];
  }

  /** What one step of the slider multiplies displacements by. */
  get factor(): number {
    return (this.trueSize ? 1 : this.natural) * this.slider;
  }

  /** Whether anything moves or changes when it plays. */
  get canPlay(): boolean {
    const frame = this.current;
    if (!frame) return false;
    const [first, last] = this.motion();
    return last > first || this.results.field(frame, "U") !== undefined;
  }

  private largestOf(frame: Frame): number {
    let sum = 0;
    for (const imaginary of [false, true]) {
      const field = this.results.field(frame, "U", imaginary);
      if (!field) continue;
      for (let k = 0; k < field.components; ++k)
        sum += Math.max(Math.abs(field.low[k] ?? 0), Math.abs(field.high[k] ?? 0)) ** 2;
    }
    return Math.sqrt(sum);
  }

  async show(frame = this.frame): Promise<void> {
    const number = ++this.shown;
    this.frame = Math.min(Math.max(frame, 0), this.report.frames.length - 1);
    const own = this.current;
    if (!own) {
      this.viewer.body.setValues(null);
      this.onChange();
      return;
    }
    const [first, last] = this.motion();
    let largest = 0;
    for (let f = first; f <= last; ++f) largest = Math.max(largest, this.largestOf(this.report.frames[f]));
    this.natural = largest > 0 ? (shareOfModel * this.surface.size) / largest : 0;
    const harmonic = own.kind === "harmonic";
    const [u, imaginary, values] = await Promise.all([
      this.results.values(own, "U"),
      harmonic ? this.results.values(own, "U", true) : undefined,
      this.choice ? this.results.scalar(own, this.choice) : undefined,
    ]);
    const range = await this.rangeOf(own, first, last);
    if (number !== this.shown) return;
    [this.low, this.high] = range;
    this.viewer.body.setDisplacements(u ?? null, imaginary ?? null);
    this.viewer.body.setValues(values ?? null);
    this.viewer.body.setWeights(1, 0);
    this.viewer.body.setRange(this.low, this.high);
    this.at = this.frame;
    this.still();
    this.onChange();
  }

  private async rangeOf(frame: Frame, first: number, last: number): Promise<[number, number]> {
    if (!this.choice) return [0, 0];
    if (!this.sameRange && first === last) return this.results.range(frame, this.choice);
    const from = this.sameRange ? 0 : first;
    const to = this.sameRange ? this.report.frames.length - 1 : last;
    let low = Infinity;
    let high = -Infinity;
    for (let f = from; f <= to; ++f) {
      const field = this.results.field(this.report.frames[f], this.choice.field);
      if (!field) continue;
      // Sizes need their values; what is in the file as it is has its range there.
      const own: [number, number] =
        typeof this.choice.of === "number" || this.choice.of === "value"
          ? [field.low[this.choice.of === "value" ? 0 : this.choice.of] ?? 0, field.high[this.choice.of === "value" ? 0 : this.choice.of] ?? 0]
          : await this.results.range(this.report.frames[f], this.choice);
      low = Math.min(low, own[0]);
      high = Math.max(high, own[1]);
    }
    return low <= high ? [low, high] : [0, 0];
  }

  setSlider(value: number): void {
    this.slider = value;
    if (!this.playing) this.still();
    this.onChange();
  }

  setTrueSize(on: boolean): void {
    this.trueSize = on;
    if (!this.playing) this.still();
    this.onChange();
  }

  /** As it is when nothing plays. */
  private still(): void {
    this.viewer.body.setDeformation(this.factor, 0);
  }

  play(on: boolean): void {
    if (on === this.playing || (on && !this.canPlay)) return;
    this.playing = on;
    if (on) {
      this.began = performance.now();
      const [, last] = this.motion();
      this.at = this.frame >= last ? this.motion()[0] : this.frame;
      const tick = (): void => {
        if (!this.playing) return;
        this.step();
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    } else {
      const [first, last] = this.motion();
      if (last > first) void this.show(Math.round(this.at));
      else this.still();
    }
    this.onChange();
  }

  private step(): void {
    const frame = this.current;
    if (!frame) return;
    const seconds = ((performance.now() - this.began) / 1000) * this.speed;
    const [first, last] = this.motion();
    if (last > first) {
      this.between(first, last);
    } else {
      // Two seconds a period; from nothing to the whole and back for what has no sign.
      const angle = Math.PI * seconds;
      if (frame.kind === "harmonic") this.viewer.body.setDeformation(this.factor * Math.cos(angle), -this.factor * Math.sin(angle));
      else if (frame.kind === "mode" || frame.kind === "buckling") this.viewer.body.setDeformation(this.factor * Math.sin(angle));
      else this.viewer.body.setDeformation(this.factor * 0.5 * (1 - Math.cos(angle)));
    }
    this.viewer.moved();
  }

  private loading = false;
  private pair = -1; // the frame before the one in which the motion is
  private lastStep = 0;

  /** A motion in time runs through its frames in about six seconds, straight from each to the next. */
  private between(first: number, last: number): void {
    const now = performance.now();
    const elapsed = Math.min((now - this.lastStep) / 1000, 0.1);
    this.lastStep = now;
    if (this.loading) return;
    const pace = Math.max(2, (last - first) / 6);
    this.at += elapsed * pace * this.speed;
    if (this.at >= last) this.at = first;
    const k = Math.min(Math.floor(this.at), last - 1);
    const share = this.at - k;
    if (k === this.pair && this.frame === k) {
      this.blend(share);
      return;
    }
    this.loading = true;
    void this.load(k, k + 1).then((drawn) => {
      this.loading = false;
      if (!drawn) return;
      this.pair = k;
      this.frame = k;
      this.blend(this.at - k);
      this.onChange();
    });
  }

  private blend(share: number): void {
    this.viewer.body.setDeformation(this.factor * (1 - share), this.factor * share);
    this.viewer.body.setWeights(1 - share, share);
  }

  private async load(a: number, b: number): Promise<boolean> {
    const number = ++this.shown;
    const of = (f: number) =>
      Promise.all([
        this.results.values(this.report.frames[f], "U"),
        this.choice ? this.results.scalar(this.report.frames[f], this.choice) : undefined,
      ]);
    const [from, to] = await Promise.all([of(a), of(b)]);
    if (number !== this.shown || !this.playing) return false;
    this.viewer.body.setDisplacements(from[0] ?? null, to[0] ?? null);
    this.viewer.body.setValues(from[1] ?? null, to[1] ?? null);
    return true;
  }

  choose(key: string): void {
    this.choice = this.choices.find((choice) => choice.key === key) ?? null;
    this.pair = -1;
    void this.show();
  }
}
