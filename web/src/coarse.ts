// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Layer, Surface } from "./surface";

/**
 * Coarser surfaces of at most so many triangles, fewer from each to the next, as far as the shape lets them: point after
 * point is moved onto a neighbour (Hoppe's collapse of half edges), the nearest ones first. They have vertices of the
 * whole surface alone, so that whatever is known at those - displacements, values, how normals turn - belongs to them too.
 * Time grows with the triangles: 5 to 7 us for each.
 */
export function coarser(surface: Surface, most: number[]): Layer[] {
  const made = new Coarser(surface);
  return most.map((triangles) => made.layer(triangles));
}

class Coarser {
  private count: number; // of triangles
  private readonly triangles: Uint32Array; // [count, 3], points
  private readonly corners: Uint32Array; // [count, 3], vertices
  private readonly chunkOf: Uint16Array; // [count]
  private readonly to: Uint32Array; // [points]: where each is now
  private readonly creases: Uint32Array; // [creases, 2], points
  private readonly along: Int32Array; // [points, 2]: neighbours along creases
  private readonly alongCount: Uint8Array; // [points]: of those, 3: more than two
  private readonly first: Uint32Array; // [points + 1]: where the triangles about a point begin
  private readonly about: Uint32Array; // triangles about each point
  private readonly locked: Uint8Array; // [points]: what is about it has changed since it was listed
  private readonly stamp: Uint32Array; // [points]
  private stamps = 0;

  constructor(private readonly surface: Surface) {
    const points = surface.points.length / 3;
    this.count = surface.triangles.length / 3;
    this.triangles = surface.triangles.slice();
    this.corners = surface.corners.slice();
    this.chunkOf = new Uint16Array(this.count);
    this.to = Uint32Array.from({ length: points }, (_, point) => point);
    const { chunks } = surface.model;
    this.creases = new Uint32Array(2 * chunks.reduce((sum, chunk) => sum + chunk.sharp, 0));
    let triangle = 0;
    let edge = 0;
    let crease = 0;
    chunks.forEach((chunk, c) => {
      this.chunkOf.fill(c, triangle, (triangle += chunk.triangles));
      for (let i = 0; i < 2 * chunk.sharp; ++i) this.creases[crease++] = surface.pointOf[surface.edges[2 * edge + i]];
      edge += chunk.edges;
    });
    this.along = new Int32Array(2 * points);
    this.alongCount = new Uint8Array(points);
    this.first = new Uint32Array(points + 1);
    this.about = new Uint32Array(3 * this.count);
    this.locked = new Uint8Array(points);
    this.stamp = new Uint32Array(points);
  }

  layer(most: number): Layer {
    let reach = 1.2 * this.meanEdge();
    // How far a triangle may lean from the surface it stands for, as a cosine: little, and more where that is not enough.
    let straight = 0.96;
    for (let pass = 0; pass < 60 && this.count > most; ++pass) {
      const before = this.count;
      this.listTriangles();
      this.listCreases();
      this.pass(reach, straight, most);
      this.dropEmpty();
      const slow = this.count > 0.97 * before;
      reach *= slow ? 1.3 : 1.1;
      if (slow && pass > 8) straight -= 0.03;
      if (straight < 0.6) break;
    }
    return this.made();
  }

  private meanEdge(): number {
    const { points } = this.surface;
    let sum = 0;
    for (let t = 0; t < 3 * this.count; t += 3) sum += distance(points, this.triangles[t], this.triangles[t + 1]);
    return sum / Math.max(1, this.count);
  }

  private listTriangles(): void {
    const { first, about, triangles, count } = this;
    first.fill(0);
    for (let i = 0; i < 3 * count; ++i) ++first[triangles[i] + 1];
    for (let p = 1; p < first.length; ++p) first[p] += first[p - 1];
    const next = first.slice();
    for (let i = 0; i < 3 * count; ++i) about[next[triangles[i]]++] = Math.floor(i / 3);
  }

  private listCreases(): void {
    const { along, alongCount, creases, to } = this;
    alongCount.fill(0);
    const add = (p: number, q: number): void => {
      for (let k = 0; k < Math.min(alongCount[p], 2); ++k) if (along[2 * p + k] === q) return;
      if (alongCount[p] < 2) along[2 * p + alongCount[p]] = q;
      if (alongCount[p] < 3) ++alongCount[p];
    };
    for (let i = 0; i < creases.length; i += 2) {
      const p = to[creases[i]];
      const q = to[creases[i + 1]];
      if (p === q) continue;
      add(p, q);
      add(q, p);
    }
  }

  /** Each point at most once, and none beside one that has moved. */
  private pass(reach: number, straight: number, most: number): void {
    const { first, about, triangles, locked, along, alongCount, surface } = this;
    locked.fill(0);
    let left = this.count;
    for (let p = 0; p < locked.length && left > most; ++p) {
      if (locked[p] || first[p] === first[p + 1] || alongCount[p] === 1 || alongCount[p] === 3) continue;
      let best = -1;
      let least = reach;
      const consider = (q: number): void => {
        if (q === p || locked[q] || q === best) return;
        if (distance(surface.points, p, q) >= least) return;
        const length = this.cost(p, q, least, straight);
        if (length < least) [best, least] = [q, length];
      };
      if (alongCount[p] === 2) {
        const [before, after] = [along[2 * p], along[2 * p + 1]];
        if (bend(surface.points, before, p, after) < straight) continue;
        consider(before);
        consider(after);
      } else {
        for (let i = first[p]; i < first[p + 1]; ++i)
          for (let k = 0; k < 3; ++k) consider(triangles[3 * about[i] + k]);
      }
      if (best >= 0) left -= this.collapse(p, best);
    }
    for (let i = 0; i < this.to.length; ++i) this.to[i] = this.to[this.to[i]];
  }

  /** The longest edge that p at the place of q has; Infinity: it cannot go there. */
  private cost(p: number, q: number, least: number, straight: number): number {
    const { first, about, triangles, stamp, surface } = this;
    // What is beside both must be across the triangles that vanish, or two sheets would become one.
    const across = ++this.stamps;
    let lost = 0;
    for (let i = first[p]; i < first[p + 1]; ++i) {
      const t = 3 * about[i];
      if (!has(triangles, t, q)) continue;
      for (let k = 0; k < 3; ++k) stamp[triangles[t + k]] = across;
      ++lost;
    }
    if (lost === 0) return Infinity;
    const beside = ++this.stamps;
    let longest = 0;
    for (let i = first[p]; i < first[p + 1]; ++i) {
      const t = 3 * about[i];
      if (has(triangles, t, q)) continue;
      for (let k = 0; k < 3; ++k) {
        const x = triangles[t + k];
        if (x === p) continue;
        longest = Math.max(longest, distance(surface.points, q, x));
        if (longest >= least) return Infinity;
        if (stamp[x] !== across) stamp[x] = beside;
      }
    }
    for (let i = first[q]; i < first[q + 1]; ++i) {
      const t = 3 * about[i];
      for (let k = 0; k < 3; ++k) if (stamp[triangles[t + k]] === beside) return Infinity;
    }
    for (let i = first[p]; i < first[p + 1]; ++i)
      if (!has(triangles, 3 * about[i], q) && !this.fits(3 * about[i], p, q, straight)) return Infinity;
    return longest;
  }

  /** Whether the triangle may have q in the place of p: each of its corners keeps its side of the surface, and the light there. */
  private fits(t: number, p: number, q: number, straight: number): boolean {
    const { triangles, corners, surface } = this;
    const { points, normals } = surface;
    const a = 3 * (triangles[t] === p ? q : triangles[t]);
    const b = 3 * (triangles[t + 1] === p ? q : triangles[t + 1]);
    const c = 3 * (triangles[t + 2] === p ? q : triangles[t + 2]);
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.hypot(nx, ny, nz);
    if (!(length > 0)) return false;
    for (let k = 0; k < 3; ++k) {
      const vertex = triangles[t + k] === p ? this.vertexFor(p, q, corners[t + k]) : corners[t + k];
      if (vertex < 0) return false;
      const n = 3 * vertex;
      if (nx * normals[n] + ny * normals[n + 1] + nz * normals[n + 2] < straight * length) return false;
    }
    return true;
  }

  /** Of q, on the side of this vertex of p, which the triangles at their edge tell; -1: on none, or on several. */
  private vertexFor(p: number, q: number, vertex: number): number {
    const { first, about, triangles, corners } = this;
    let found = -1;
    for (let i = first[p]; i < first[p + 1]; ++i) {
      const t = 3 * about[i];
      const at = placeOf(triangles, t, q);
      if (at < 0 || corners[t + placeOf(triangles, t, p)] !== vertex) continue;
      if (found >= 0 && found !== corners[t + at]) return -1;
      found = corners[t + at];
    }
    return found;
  }

  /** How many triangles vanish. */
  private collapse(p: number, q: number): number {
    const { first, about, triangles, corners, locked } = this;
    const moves: [number, number][] = [];
    let lost = 0;
    for (let i = first[p]; i < first[p + 1]; ++i) {
      const t = 3 * about[i];
      for (let k = 0; k < 3; ++k) locked[triangles[t + k]] = 1;
      const at = placeOf(triangles, t, p);
      if (has(triangles, t, q)) ++lost;
      else moves.push([t + at, this.vertexFor(p, q, corners[t + at])]);
    }
    for (let i = first[p]; i < first[p + 1]; ++i) {
      const t = 3 * about[i];
      if (has(triangles, t, q)) triangles[t] = triangles[t + 1] = triangles[t + 2] = q; // is dropped
    }
    for (const [at, vertex] of moves) {
      triangles[at] = q;
      corners[at] = vertex;
    }
    this.to[p] = q;
    return lost;
  }

  private dropEmpty(): void {
    const { triangles, corners, chunkOf } = this;
    let kept = 0;
    for (let t = 0; t < this.count; ++t) {
      if (triangles[3 * t] === triangles[3 * t + 1]) continue;
      triangles.copyWithin(3 * kept, 3 * t, 3 * t + 3);
      corners.copyWithin(3 * kept, 3 * t, 3 * t + 3);
      chunkOf[kept++] = chunkOf[t];
    }
    this.count = kept;
  }

  private made(): Layer {
    const { surface, to, creases } = this;
    const { chunks } = surface.model;
    const counts = chunks.map(() => 0);
    for (let t = 0; t < this.count; ++t) ++counts[this.chunkOf[t]];
    const vertexOf = new Uint32Array(to.length);
    for (let v = surface.pointOf.length - 1; v >= 0; --v) vertexOf[surface.pointOf[v]] = v;
    const edges: number[] = [];
    let at = 0;
    const sharp = chunks.map((chunk) => {
      const known = new Set<number>();
      for (const end = at + 2 * chunk.sharp; at < end; at += 2) {
        const p = to[creases[at]];
        const q = to[creases[at + 1]];
        if (p === q) continue;
        known.add(Math.min(p, q) * to.length + Math.max(p, q));
      }
      for (const key of known) edges.push(vertexOf[Math.floor(key / to.length)], vertexOf[key % to.length]);
      return known.size;
    });
    return { corners: this.corners.slice(0, 3 * this.count), triangles: counts, edges: Uint32Array.from(edges), sharp, all: sharp };
  }
}

function distance(points: Float32Array, p: number, q: number): number {
  const x = points[3 * p] - points[3 * q];
  const y = points[3 * p + 1] - points[3 * q + 1];
  const z = points[3 * p + 2] - points[3 * q + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** The cosine of the angle by which the way from p over q to r turns. */
function bend(points: Float32Array, p: number, q: number, r: number): number {
  let dot = 0;
  for (let k = 0; k < 3; ++k) dot += (points[3 * q + k] - points[3 * p + k]) * (points[3 * r + k] - points[3 * q + k]);
  return dot / (distance(points, p, q) * distance(points, q, r));
}

const has = (triangles: Uint32Array, t: number, p: number): boolean =>
  triangles[t] === p || triangles[t + 1] === p || triangles[t + 2] === p;

const placeOf = (triangles: Uint32Array, t: number, p: number): number =>
  triangles[t] === p ? 0 : triangles[t + 1] === p ? 1 : triangles[t + 2] === p ? 2 : -1;
