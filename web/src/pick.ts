// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Vector3, Vector4 } from "three";
import type { Surface } from "./surface";

export interface Hit {
  point: number; // nearest to it
  corners: [number, number, number]; // points
  weights: [number, number, number];
}

/** Points as they are drawn: those of the surface, moved by two displacements. */
export interface Moved {
  first: Float32Array | null; // [points, 3]
  second: Float32Array | null;
  a: number; // factors of them
  b: number;
}

/** The first triangle of these ranges that a ray meets on the side of the cut that is drawn (Moeller and Trumbore). */
export function hitOf(surface: Surface, ranges: [number, number][], moved: Moved, from: Vector3, ray: Vector3, cut: Vector4): Hit | null {
  const { points, triangles } = surface;
  const { first, second, a, b } = moved;
  const at = new Float64Array(9);
  let nearest = Infinity;
  let hit: Hit | null = null;
  for (const [begin, end] of ranges) {
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
