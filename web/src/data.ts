// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What the page is given; setka/io/report_writer.cpp and apps/setka/report_document.cpp write it.

export interface Part {
  name: string;
  section: boolean; // else a set of elements
}

export interface Chunk {
  parts: number[];
  behind: number; // -1, or the chunk in whose place it is seen while that is off
  triangles: number;
  sharp: number; // edges, which come first
  edges: number;
}

export interface Model {
  points: number;
  low: number[];
  high: number[];
  positions: number; // numbers of packed arrays
  labels: number;
  triangles: number;
  edges: number;
  triangleCount: number;
  edgeCount: number;
  sheets: boolean; // some of it has no inside
  parts: Part[];
  chunks: Chunk[];
}

export interface Field {
  name: string;
  components: number;
  bits: number;
  imaginary: boolean;
  low: (number | null)[];
  high: (number | null)[];
  codes: number;
}

export type Kind = "state" | "mode" | "buckling" | "time" | "harmonic";

export interface Frame {
  kind: Kind;
  step: number;
  time: number;
  number?: number;
  frequency?: number;
  factor?: number;
  diameter?: number;
  fields: Field[];
}

export type Cell = string | number | null;

export interface Table {
  title: string;
  note?: string;
  columns: string[];
  rows: Cell[][];
}

export interface Series {
  name: string;
  x: number[];
  y: (number | null)[];
  points?: boolean;
}

export interface Plot {
  title: string;
  note?: string;
  x: string;
  y: string;
  logX?: boolean;
  logY?: boolean;
  series: Series[];
}

export interface StageTime {
  name: string;
  seconds: number;
  visits: number;
  parts: StageTime[];
}

export interface Report {
  format: number;
  title: string;
  deck: string;
  heading?: string;
  made: string;
  program: string;
  failed?: string;
  facts: [string, string][];
  warnings: string[];
  tables: Table[];
  plots: Plot[];
  stages?: StageTime;
  steps: { number: number; procedure: string; text: string }[];
  model: Model;
  frames: Frame[];
  leftOut: string[];
}

export function readReport(): Report {
  const element = document.getElementById("report");
  if (!element) throw new Error("This page has no report in it; setka report writes one.");
  return JSON.parse(element.textContent ?? "") as Report;
}
