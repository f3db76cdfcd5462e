// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { unpackCodes, unpackNumbers, unpackReferences, mostCode } from "./codec";
import type { Chunk, Model } from "./data";

/** Faces that meet at less than this (the cosine between their normals) are shaded as one bent surface. */
const smooth = 0.8;

/**
 * The surface with vertices of its own for drawing: a point has several where sharp edges meet in it, so that each
 * side keeps its shading.
 */
export interface Surface {
  model: Model;
  points: Float32Array; // [points, 3], about the middle
  middle: [number, number, number];
  size: number; // diagonal of the box about it
  labels: Int32Array; // [points]
  triangles: Uint32Array; // [triangles, 3], points
  pointOf: Uint32Array; // [vertices]
  normals: Float32Array; // [vertices, 3]
  areas: Float32Array; // [vertices] twice those of the triangles about each
  chunkOf: Uint16Array; // [vertices]
  corners: Uint32Array; // [triangles, 3], vertices
  edges: Uint32Array; // [edges, 2], vertices
}

export async function makeSurface(model: Model): Promise<Surface> {
  const [codes, labels, triangles, edgePoints] = await Promise.all([
    unpackCodes(model.positions, model.points, 3),
    unpackNumbers(model.labels, model.points),
    unpackReferences(model.triangles, 3 * model.triangleCount),
    unpackNumbers(model.edges, 2 * model.edgeCount),
  ]);
  const count = model.points;
  const points = new Float32Array(3 * count);
  const middle: [number, number, number] = [0, 0, 0];
  let size = 0;
  for (let k = 0; k < 3; ++k) {
    const range = model.high[k] - model.low[k];
    middle[k] = model.low[k] + range / 2;
    size += range * range;
    for (let i = 0; i < count; ++i) points[3 * i + k] = (codes[k * count + i] / mostCode(16) - 0.5) * range;
  }
  return surfaceOf(model, points, middle, Math.sqrt(size) || 1, labels, triangles, edgePoints);
}

/** Points are about the middle; triangles and edges are of points. */
export function surfaceOf(
  model: Model,
  points: Float32Array,
  middle: [number, number, number],
  size: number,
  labels: Int32Array,
  triangles: Uint32Array,
  edgePoints: Int32Array,
): Surface {
  const split = splitVertices(points, triangles, model.chunks);
  const edges = new Uint32Array(edgePoints.length);
  for (let i = 0; i < edges.length; ++i) edges[i] = split.firstVertex[edgePoints[i]];
  return {
    model,
    points,
    middle,
    size,
    labels,
    triangles,
    pointOf: split.pointOf,
    normals: split.normals,
    areas: split.areas,
    chunkOf: split.chunkOf,
    corners: split.corners,
    edges,
  };
}

function splitVertices(points: Float32Array, triangles: Uint32Array, chunks: Chunk[]) {
  const count = points.length / 3;
  const triangleCount = triangles.length / 3;
  const normals = new Float32Array(triangles.length); // [triangles, 3], as long as twice their areas
  for (let t = 0; t < triangleCount; ++t) {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    normals[3 * t] = uy * vz - uz * vy;
    normals[3 * t + 1] = uz * vx - ux * vz;
    normals[3 * t + 2] = ux * vy - uy * vx;
  }
  // Vertices of a point are a list: each triangle's corner joins the first whose direction is near its own.
  const firstVertex = new Int32Array(count).fill(-1);
  const next: number[] = [];
  const pointOf: number[] = [];
  const chunkOf: number[] = [];
  const sum: number[] = [];
  const corners = new Uint32Array(triangles.length);
  let t = 0;
  chunks.forEach((chunk, c) => {
    for (let last = t + chunk.triangles; t < last; ++t) {
      const nx = normals[3 * t];
      const ny = normals[3 * t + 1];
      const nz = normals[3 * t + 2];
      const length = Math.hypot(nx, ny, nz);
      for (let k = 0; k < 3; ++k) {
        const point = triangles[3 * t + k];
        let vertex = firstVertex[point];
        let end = -1;
        for (; vertex >= 0; end = vertex, vertex = next[vertex]) {
          if (chunkOf[vertex] !== c) continue;
          const sx = sum[3 * vertex];
          const sy = sum[3 * vertex + 1];
          const sz = sum[3 * vertex + 2];
          if (nx * sx + ny * sy + nz * sz >= smooth * length * Math.hypot(sx, sy, sz)) break;
        }
        if (vertex < 0) {
          vertex = pointOf.length;
          pointOf.push(point);
          chunkOf.push(c);
          next.push(-1);
          sum.push(0, 0, 0);
          if (end < 0) firstVertex[point] = vertex;
          else next[end] = vertex;
        }
        sum[3 * vertex] += nx;
        sum[3 * vertex + 1] += ny;
        sum[3 * vertex + 2] += nz;
        corners[3 * t + k] = vertex;
      }
    }
  });
  for (let point = 0; point < count; ++point) {
    if (firstVertex[point] >= 0) continue; // ends of edges alone
    firstVertex[point] = pointOf.length;
    pointOf.push(point);
    chunkOf.push(0);
    sum.push(0, 0, 1);
  }
  const directions = new Float32Array(sum.length);
  const areas = new Float32Array(sum.length / 3);
  for (let i = 0; i < sum.length; i += 3) {
    const length = Math.hypot(sum[i], sum[i + 1], sum[i + 2]) || 1;
    areas[i / 3] = length;
    for (let k = 0; k < 3; ++k) directions[i + k] = sum[i + k] / length;
  }
  return {
    firstVertex,
    pointOf: Uint32Array.from(pointOf),
    chunkOf: Uint16Array.from(chunkOf),
    normals: directions,
    areas,
    corners,
  };
}

/** How normals begin to turn under displacements, by their factor: [vertices, 3]. */
export function tilts(surface: Surface, displacements: Float32Array, to: Float32Array): void {
  const { points, triangles, corners, areas } = surface;
  to.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const e1x = points[b] - points[a];
    const e1y = points[b + 1] - points[a + 1];
    const e1z = points[b + 2] - points[a + 2];
    const e2x = points[c] - points[a];
    const e2y = points[c + 1] - points[a + 1];
    const e2z = points[c + 2] - points[a + 2];
    const d1x = displacements[b] - displacements[a];
    const d1y = displacements[b + 1] - displacements[a + 1];
    const d1z = displacements[b + 2] - displacements[a + 2];
    const d2x = displacements[c] - displacements[a];
    const d2y = displacements[c + 1] - displacements[a + 1];
    const d2z = displacements[c + 2] - displacements[a + 2];
    const nx = d1y * e2z - d1z * e2y + e1y * d2z - e1z * d2y;
    const ny = d1z * e2x - d1x * e2z + e1z * d2x - e1x * d2z;
    const nz = d1x * e2y - d1y * e2x + e1x * d2y - e1y * d2x;
    if (Number.isNaN(nx + ny + nz)) continue;
    for (let k = 0; k < 3; ++k) {
      const vertex = corners[t + k];
      to[3 * vertex] += nx / areas[vertex];
      to[3 * vertex + 1] += ny / areas[vertex];
      to[3 * vertex + 2] += nz / areas[vertex];
    }
  }
}

/** Which chunks are seen: all of their parts are on; a border between two, while the one behind it is not. */
export function seenChunks(model: Model, isOn: boolean[]): boolean[] {
  const on = (chunk: Chunk): boolean => chunk.parts.every((part) => isOn[part]);
  return model.chunks.map((chunk) => on(chunk) && (chunk.behind < 0 || !on(model.chunks[chunk.behind])));
}

/** What of the surface is drawn of each chunk, one chunk after the other. */
export interface Layer {
  corners: Uint32Array; // [triangles, 3], vertices
  triangles: number[]; // [chunks]
  edges: Uint32Array; // [edges, 2], vertices, the sharp ones of a chunk first
  sharp: number[]; // [chunks]
  all: number[]; // [chunks]
}

export function wholeLayer(surface: Surface): Layer {
  const { chunks } = surface.model;
  return {
    corners: surface.corners,
    triangles: chunks.map((chunk) => chunk.triangles),
    edges: surface.edges,
    sharp: chunks.map((chunk) => chunk.sharp),
    all: chunks.map((chunk) => chunk.edges),
  };
}

/** The triangles that are seen, from the first to before the second of each pair. */
export function seenRanges(layer: Layer, seen: boolean[]): [number, number][] {
  const ranges: [number, number][] = [];
  let first = 0;
  layer.triangles.forEach((count, c) => {
    if (seen[c] && count > 0) ranges.push([first, first + count]);
    first += count;
  });
  return ranges;
}

export function seenTriangles(layer: Layer, seen: boolean[]): Uint32Array {
  return joined(seenRanges(layer, seen).map(([from, to]) => layer.corners.subarray(3 * from, 3 * to)));
}

export function seenEdges(layer: Layer, seen: boolean[], all: boolean): Uint32Array {
  const pieces: Uint32Array[] = [];
  let first = 0;
  layer.all.forEach((count, c) => {
    if (seen[c]) pieces.push(layer.edges.subarray(2 * first, 2 * (first + (all ? count : layer.sharp[c]))));
    first += count;
  });
  return joined(pieces);
}

function joined(pieces: Uint32Array[]): Uint32Array {
  const made = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    made.set(piece, at);
    at += piece.length;
  }
  return made;
}
