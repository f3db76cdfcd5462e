// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// node check_motion.mjs WEB: what of the page makes it keep pace where frames come slowly: coarser surfaces that keep their
// shape, and the choice among them by the times of frames.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const web = resolve(process.argv[2]);
if (!existsSync(join(web, "node_modules", "esbuild"))) {
  console.log("skipped: no esbuild; the build has had no npm or no network");
  process.exit(77);
}
const { buildSync } = createRequire(join(web, "package.json"))("esbuild");
const bundled = buildSync({
  stdin: {
    contents: 'export * from "./coarse"; export * from "./pace"; export * from "./surface";',
    resolveDir: join(web, "src"),
    loader: "ts",
  },
  bundle: true, write: false, format: "esm",
}).outputFiles[0].text;
const { coarser, Pace, surfaceOf } = await import(`data:text/javascript;base64,${Buffer.from(bundled).toString("base64")}`);

/** A pipe of two parts, one behind the other: n cells round, each as long as it is wide; its rims are its sharp edges. */
function pipe(n) {
  const along = n;
  const points = [];
  const triangles = [];
  const number = (shell, i, j) => (shell * (along + 1) + j) * n + (i % n);
  for (const radius of [1, 0.7])
    for (let j = 0; j <= along; ++j)
      for (let i = 0; i < n; ++i) {
        const angle = (2 * Math.PI * i) / n;
        points.push(radius * Math.cos(angle), radius * Math.sin(angle), (2 * Math.PI * (j - along / 2)) / n);
      }
  const quad = (a, b, c, d) => triangles.push(a, b, c, a, c, d);
  const edges = [];
  const chunks = [0, 1].map((part) => {
    const [from, begin, edge] = [triangles.length, (part * along) / 2, edges.length];
    for (let j = begin; j < begin + along / 2; ++j)
      for (let i = 0; i < n; ++i) {
        quad(number(0, i, j), number(0, i + 1, j), number(0, i + 1, j + 1), number(0, i, j + 1));
        quad(number(1, i, j), number(1, i, j + 1), number(1, i + 1, j + 1), number(1, i + 1, j));
      }
    for (let i = 0; i < n; ++i) {
      if (part === 0) quad(number(0, i, 0), number(1, i, 0), number(1, i + 1, 0), number(0, i + 1, 0));
      else quad(number(0, i, along), number(0, i + 1, along), number(1, i + 1, along), number(1, i, along));
      for (const shell of [0, 1])
        for (const j of part === 0 ? [0, along / 2] : [along / 2, along]) edges.push(number(shell, i, j), number(shell, i + 1, j));
    }
    const count = (edges.length - edge) / 2;
    return { parts: [part], behind: -1, triangles: (triangles.length - from) / 3, sharp: count, edges: count };
  });
  const model = { points: points.length / 3, chunks, triangleCount: triangles.length / 3, edgeCount: edges.length / 2, sheets: false };
  return surfaceOf(model, Float32Array.from(points), [0, 0, 0], 7, new Int32Array(points.length / 3), Uint32Array.from(triangles),
                   Int32Array.from(edges));
}

function shape(surface, corners) {
  let volume = 0;
  let leastFit = 1;
  const sides = new Map();
  for (let t = 0; t < corners.length; t += 3) {
    const p = [0, 1, 2].map((k) => surface.pointOf[corners[t + k]]);
    const [a, b, c] = p.map((point) => [...surface.points.subarray(3 * point, 3 * point + 3)]);
    const [u, v] = [b, c].map((end) => end.map((x, k) => x - a[k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    volume += (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6;
    for (let k = 0; k < 3; ++k) {
      const n = surface.normals.subarray(3 * corners[t + k], 3 * corners[t + k] + 3);
      leastFit = Math.min(leastFit, (normal[0] * n[0] + normal[1] * n[1] + normal[2] * n[2]) / length);
      const side = `${p[k]} ${p[(k + 1) % 3]}`;
      sides.set(side, (sides.get(side) ?? 0) + 1);
    }
  }
  return { volume, leastFit, sides };
}

{
  const surface = pipe(64);
  const whole = shape(surface, surface.corners);
  const layers = coarser(surface, [6000, 2500]);
  layers.forEach((layer, k) => {
    const most = [6000, 2500][k];
    const count = layer.corners.length / 3;
    assert.ok(count <= most && count > 0.9 * most, `${count} triangles of ${most}`);
    assert.equal(layer.triangles.reduce((a, b) => a + b), count);
    const own = shape(surface, layer.corners);
    assert.ok(Math.abs(own.volume / whole.volume - 1) < 0.05, `volume ${own.volume}, of ${whole.volume}`);
    assert.ok(own.leastFit > 0.8, `a triangle leans by the cosine ${own.leastFit}`);
    for (const [side, times] of own.sides) {
      assert.equal(times, 1, `side ${side}`);
      assert.ok(own.sides.has(side.split(" ").reverse().join(" ")), `a gap at ${side}`);
    }
    // Each triangle has vertices of its own part, and outlines are sides of triangles.
    let t = 0;
    layer.triangles.forEach((of, chunk) => {
      for (const last = t + of; t < last; ++t)
        for (let c = 0; c < 3; ++c) assert.equal(surface.chunkOf[layer.corners[3 * t + c]], chunk);
    });
    assert.ok(layer.sharp.every((of) => of > 8), `outlines of ${layer.sharp} edges`);
    for (let e = 0; e < layer.edges.length; e += 2) {
      const ends = [layer.edges[e], layer.edges[e + 1]].map((vertex) => surface.pointOf[vertex]).join(" ");
      assert.ok(own.sides.has(ends), `no triangle at the outline ${ends}`);
    }
  });
  // What is coarse enough stays as it is.
  assert.deepEqual(coarser(surface, [1e6])[0].corners, surface.corners);
  const none = surfaceOf({ chunks: [] }, new Float32Array(0), [0, 0, 0], 1, new Int32Array(0), new Uint32Array(0), new Int32Array(0));
  assert.equal(coarser(none, [10])[0].corners.length, 0);
}

{
  const frames = (pace, count, time) => {
    let changes = 0;
    for (let k = 0; k < count; ++k) changes += pace.frame(time) ? 1 : 0;
    return changes;
  };
  const gpu = new Pace(false);
  gpu.begin();
  assert.deepEqual(gpu.moving, Pace.still, "all is drawn until frames are slow");
  assert.equal(frames(gpu, 1000, 16.7), 0);
  assert.equal(frames(gpu, 10, 40), 1, "ten slow frames are enough");
  assert.ok(gpu.moving.pixels < 1);
  assert.equal(frames(gpu, 60, 40), 3, "then less and less, down to the least");
  assert.equal(frames(gpu, 60, 40), 0);

  const processor = new Pace(true);
  processor.begin();
  assert.ok(processor.moving.coarse === 1 && processor.moving.pixels === 1, "of a processor triangles and lines go first");
  assert.equal(frames(processor, 12, 25), 0, "less than 30 ms are good enough");
  assert.equal(frames(processor, 5, 200), 1, "very slow ones are known sooner, and go further");
  assert.equal(processor.moving.coarse, 2);

  // Better that turns out too slow is tried ever more seldom.
  const waits = [];
  for (let k = 0; k < 4; ++k) {
    let wait = 0;
    while (!processor.frame(16.7)) ++wait;
    waits.push(wait);
    while (!processor.frame(40));
  }
  for (let k = 1; k < 4; ++k) assert.ok(waits[k] > 1.8 * waits[k - 1], `waits ${waits}`);
}
console.log("coarser surfaces keep their shape, and the pace is kept");
