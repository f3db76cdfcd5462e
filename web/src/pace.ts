// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause

/** What of the picture is drawn while it moves. At rest it is all of it. */
export interface Quality {
  edges: boolean; // those of all elements, where they are wanted, or outlines alone
  coarse: 0 | 1 | 2; // the whole surface, or a coarser one, or the coarsest
  pixels: number; // of those that the screen has along each side
}

const everything: Quality = { edges: true, coarse: 0, pixels: 1 };

/** From best to fastest. What a GPU is slow at is pixels; a processor in its place, triangles and lines of any size. */
const ofGpu: Quality[] = [
  everything,
  { edges: true, coarse: 0, pixels: 0.7 },
  { edges: false, coarse: 0, pixels: 0.7 },
  { edges: false, coarse: 1, pixels: 0.7 },
  { edges: false, coarse: 2, pixels: 0.5 },
];
const ofProcessor: Quality[] = [
  everything,
  { edges: false, coarse: 0, pixels: 1 },
  { edges: false, coarse: 1, pixels: 1 },
  { edges: false, coarse: 1, pixels: 0.75 },
  { edges: false, coarse: 2, pixels: 0.5 },
];

const tooLong = 28; // ms a frame: 30 frames a second, and a little to spare
const quick = 19; // ms: as often as most screens are drawn, so that there may be time for more

/** Chooses by how long frames take, and keeps what it has learnt from one motion to the next. */
export class Pace {
  private readonly levels: Quality[];
  private level: number;
  private times: number[] = [];
  private unsettled = 0; // frames that still show the level before
  private quickFrames = 0;
  private patience = 120; // quick frames before better is tried, twice as many after each time that it was too slow
  private sinceBetter = Infinity; // frames

  constructor(software: boolean) {
    this.levels = software ? ofProcessor : ofGpu;
    this.level = software ? 2 : 0;
  }

  get moving(): Quality {
    return this.levels[this.level];
  }

  static readonly still = everything;

  begin(): void {
    this.times = [];
    this.unsettled = 2;
  }

  /** How long a frame took, in ms; whether what is drawn is to change. */
  frame(time: number): boolean {
    if (this.unsettled > 0) {
      --this.unsettled;
      return false;
    }
    this.times.push(time);
    ++this.sinceBetter;
    this.quickFrames = time < quick ? this.quickFrames + 1 : Math.max(0, this.quickFrames - 5);
    const sum = this.times.reduce((a, b) => a + b, 0);
    if (this.times.length >= 8 || (this.times.length >= 3 && sum > 400)) {
      // One frame may be late for reasons of its own.
      const mean = (sum - Math.max(...this.times)) / (this.times.length - 1);
      this.times = [];
      if (mean > tooLong) return this.go(mean > 2.5 * tooLong ? 2 : 1);
    }
    return this.quickFrames > this.patience && this.go(-1);
  }

  private go(by: number): boolean {
    const next = Math.min(Math.max(this.level + by, 0), this.levels.length - 1);
    if (by > 0 && this.sinceBetter < 300) this.patience = Math.min(2 * this.patience, 4000);
    this.sinceBetter = by < 0 ? 0 : Infinity;
    this.quickFrames = 0;
    if (next === this.level) return false;
    this.level = next;
    this.begin();
    return true;
  }
}
