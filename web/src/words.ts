// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Frame } from "./data";

const names: Record<string, string> = {
  U: "Displacement",
  V: "Velocity",
  A: "Acceleration",
  RF: "Reaction force",
  S: "Stress",
  S_Mises: "Mises stress",
  E: "Strain",
  NT: "Temperature",
  HFL: "Heat flux",
  RFL: "Heat taken in",
  ENER: "Energy density",
  ERR: "Error of stresses",
  PE: "Plastic strain",
};

export const fieldName = (name: string): string => names[name] ?? name;

const vector = ["x", "y", "z"];
const tensor = ["xx", "yy", "zz", "xy", "xz", "yz"];

export const componentName = (components: number, k: number): string =>
  components === 3 ? vector[k] : components === 6 ? tensor[k] : String(k + 1);

/** Four digits, as tables of the command have them. */
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "none";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return Number(value.toPrecision(digits)).toExponential().replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

export function frameName(frame: Frame): string {
  switch (frame.kind) {
    case "mode": {
      const diameter = frame.diameter === undefined ? "" : `, nodal diameter ${frame.diameter}`;
      return `Mode ${frame.number}: ${short(frame.frequency ?? 0, 5)} cycles/time${diameter}`;
    }
    case "buckling":
      return `Buckling ${frame.number}: factor ${short(frame.factor ?? 0, 5)}`;
    case "harmonic":
      return `Step ${frame.step}, ${short(frame.time, 5)} cycles/time`;
    case "time":
      return `Step ${frame.step}, time ${short(frame.time, 5)}`;
    default:
      return `Step ${frame.step}${frame.time > 0 ? `, time ${short(frame.time, 5)}` : ""}`;
  }
}

/** Of a scale: what is nothing beside its range is zero. */
export const onScale = (value: number, range: number): string => short(Math.abs(value) < 1e-6 * range ? 0 : value);
