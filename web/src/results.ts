// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { mostCode, unpackCodes } from "./codec";
import type { Field, Frame, Report } from "./data";
import { componentName, fieldName } from "./words";

/** What the surface may be coloured by: a field, and what of it. */
export interface Choice {
  key: string;
  field: string;
  label: string;
  group: string;
  of: "value" | "size" | "greatest" | "least" | number; // number: a component
  signed: boolean;
}

/** Those that any frame has, in the order in which fields first appear. */
export function choicesOf(report: Report): Choice[] {
  const choices = new Map<string, Choice>();
  const add = (field: Field, of: Choice["of"], label: string, signed: boolean): void => {
    const key = `${field.name}.${of}`;
    const group = fieldName(field.name);
    if (!choices.has(key)) choices.set(key, { key, field: field.name, label, group, of, signed });
  };
  for (const frame of report.frames) {
    for (const field of frame.fields) {
      if (field.imaginary) continue;
      const name = fieldName(field.name);
      if (field.components === 1) add(field, "value", name, false);
      else if (field.components === 3) {
        add(field, "size", `${name}, size`, false);
        for (let k = 0; k < 3; ++k) add(field, k, `${name} ${componentName(3, k)}`, true);
      } else {
        for (let k = 0; k < field.components; ++k)
          add(field, k, `${name} ${componentName(field.components, k)}`, true);
        if (field.components === 6 && field.name !== "E") {
          add(field, "greatest", `${name}, largest principal`, true);
          add(field, "least", `${name}, smallest principal`, true);
        }
      }
    }
  }
  return [...choices.values()];
}

/** Values at the points, unpacked when they are asked for; some of the last ones are kept. */
export class Results {
  private kept = new Map<string, Promise<Float32Array>>();

  constructor(
    private readonly report: Report,
    private readonly mostKept = 24,
  ) {}

  field(frame: Frame, name: string, imaginary = false): Field | undefined {
    return frame.fields.find((field) => field.name === name && field.imaginary === imaginary);
  }

  private keep(key: string, make: () => Promise<Float32Array>): Promise<Float32Array> {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const made = make();
    this.kept.set(key, made);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= this.mostKept) break;
      this.kept.delete(old);
    }
    return made;
  }

  /** [points, components]; gaps are NaN. */
  values(frame: Frame, name: string, imaginary = false): Promise<Float32Array> | undefined {
    const field = this.field(frame, name, imaginary);
    if (!field) return undefined;
    return this.keep(`codes ${field.codes}`, async () => {
      const points = this.report.model.points;
      const codes = await unpackCodes(field.codes, points, field.components);
      const made = new Float32Array(points * field.components);
      const most = mostCode(field.bits);
      for (let k = 0; k < field.components; ++k) {
        const low = field.low[k] ?? 0;
        const step = ((field.high[k] ?? 0) - low) / most;
        for (let i = 0; i < points; ++i) {
          const code = codes[k * points + i];
          made[i * field.components + k] = code > most ? NaN : low + step * code;
        }
      }
      return made;
    });
  }

  /** [points] */
  scalar(frame: Frame, choice: Choice, imaginary = false): Promise<Float32Array> | undefined {
    const field = this.field(frame, choice.field, imaginary);
    const values = this.values(frame, choice.field, imaginary);
    if (!field || !values) return undefined;
    if (choice.of === "value") return values;
    return this.keep(`${choice.key} of ${field.codes}`, async () => scalarOf(await values, field.components, choice.of));
  }

  /** From smallest to largest; without gaps. */
  async range(frame: Frame, choice: Choice): Promise<[number, number]> {
    const values = await this.scalar(frame, choice);
    let low = Infinity;
    let high = -Infinity;
    for (const value of values ?? []) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : [0, 0];
  }
}

function scalarOf(values: Float32Array, components: number, of: Choice["of"]): Float32Array {
  const made = new Float32Array(values.length / components);
  for (let i = 0; i < made.length; ++i) {
    const at = i * components;
    if (typeof of === "number") made[i] = values[at + of];
    else if (components === 6) made[i] = principal(values, at, of === "greatest");
    else made[i] = Math.hypot(values[at], values[at + 1], values[at + 2]);
  }
  return made;
}

/** The largest or smallest eigenvalue of xx yy zz xy xz yz, by the angle of its deviator. */
export function principal(s: ArrayLike<number>, at: number, largest: boolean): number {
  const mean = (s[at] + s[at + 1] + s[at + 2]) / 3;
  const a = s[at] - mean;
  const b = s[at + 1] - mean;
  const c = s[at + 2] - mean;
  const xy = s[at + 3];
  const xz = s[at + 4];
  const yz = s[at + 5];
  const p = Math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (p === 0) return mean;
  const det = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
  const angle = Math.acos(Math.min(1, Math.max(-1, det / (2 * p * p * p)))) / 3;
  return mean + 2 * p * Math.cos(largest ? angle : angle + (2 * Math.PI) / 3);
}
