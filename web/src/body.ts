// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LineSegments,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector4,
  type Vector3,
} from "three";
import { coarser } from "./coarse";
import { paletteTexels, paletteWidth, partColour } from "./colours";
import type { Quality } from "./pace";
import { hitOf, type Hit } from "./pick";
import { edgeFragment, edgeVertex, surfaceFragment, surfaceVertex } from "./shaders";
import { seenChunks, seenEdges, seenRanges, seenTriangles, tilts, wholeLayer, type Layer, type Surface } from "./surface";

export type Edges = "none" | "sharp" | "all";
export interface Cut {
  axis: 0 | 1 | 2;
  at: number; // 0 .. 1 of the box
  flipped: boolean;
}

const gap = 2e29;

/** Triangles of the coarser surfaces: a processor that draws in the place of a GPU needs about 1 us for each. */
const fewTriangles = [8000, 3500];

/** What of a layer is seen, as a GPU is given it. */
interface Shown {
  triangles: BufferAttribute;
  all: BufferAttribute; // edges
  sharp: BufferAttribute;
}

/** The surface as it is drawn: where it has moved, by what it is coloured, what of it is seen. */
export class Body {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly lines: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly ghost: LineSegments<BufferGeometry, ShaderMaterial>;
  readonly deformation = new Vector2(0, 0);
  private readonly cut = new Vector4(0, 0, 0, 1e30);
  private readonly first: BufferAttribute;
  private readonly second: BufferAttribute;
  private readonly tilt: BufferAttribute;
  private readonly secondTilt: BufferAttribute;
  private readonly values: BufferAttribute;
  private firstPoints: Float32Array | null = null;
  private secondPoints: Float32Array | null = null;
  private valuesFirst: Float32Array | null = null;
  private valuesSecond: Float32Array | null = null;
  private readonly layers: Layer[]; // the whole surface, then coarser ones, once they are made
  private shown: Shown[] = []; // [layers]
  private ranges: [number, number][] = [];
  private seen: boolean[] = [];
  private edges: Edges = "sharp";
  private quality: Quality = { edges: true, coarse: 0, pixels: 1 };

  constructor(
    private readonly surface: Surface,
    simple: boolean, // light without shine
    private readonly draw: () => void,
  ) {
    const vertices = surface.pointOf.length;
    const positions = new Float32Array(3 * vertices);
    const tints = new Float32Array(3 * vertices);
    for (let v = 0; v < vertices; ++v) {
      const point = 3 * surface.pointOf[v];
      for (let k = 0; k < 3; ++k) positions[3 * v + k] = surface.points[point + k];
      const colour = partColour(surface.model.chunks[surface.chunkOf[v]]?.parts[0] ?? 0);
      for (let k = 0; k < 3; ++k) tints[3 * v + k] = colour[k] / 255;
    }
    const empty = (components: number): BufferAttribute =>
      new BufferAttribute(new Float32Array(components * vertices), components);
    [this.first, this.second, this.tilt, this.secondTilt] = [empty(3), empty(3), empty(3), empty(3)];
    this.values = empty(2);
    const place = new BufferAttribute(positions, 3);
    const geometryOf = (): BufferGeometry => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", place);
      geometry.setAttribute("first", this.first);
      geometry.setAttribute("second", this.second);
      return geometry;
    };

    const texture = new DataTexture(paletteTexels("lake", 0), paletteWidth + 1, 1);
    texture.needsUpdate = true;
    const solid = geometryOf();
    solid.setAttribute("normal", new BufferAttribute(surface.normals, 3));
    solid.setAttribute("tilt", this.tilt);
    solid.setAttribute("secondTilt", this.secondTilt);
    solid.setAttribute("values", this.values);
    solid.setAttribute("tint", new BufferAttribute(tints, 3));
    const cut = { value: this.cut };
    const moved = { deformation: { value: this.deformation }, cut };
    this.mesh = new Mesh(
      solid,
      new ShaderMaterial({
        vertexShader: surfaceVertex,
        fragmentShader: surfaceFragment,
        side: surface.model.sheets ? DoubleSide : FrontSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
        uniforms: {
          ...moved,
          weights: { value: new Vector2(1, 0) },
          palette: { value: texture },
          range: { value: new Vector2(0, 1) },
          inside: { value: new Color(0.5, 0.5, 0.52) },
        },
      }),
    );
    const linesOf = (uniforms: ShaderMaterial["uniforms"], alpha: number) =>
      new LineSegments(
        geometryOf(),
        new ShaderMaterial({
          vertexShader: edgeVertex,
          fragmentShader: edgeFragment,
          transparent: true,
          uniforms: { ...uniforms, colour: { value: new Vector4(0, 0, 0, alpha) } },
        }),
      );
    this.lines = linesOf(moved, 0.55);
    this.ghost = linesOf({ deformation: { value: new Vector2(0, 0) }, cut }, 0.6);
    this.ghost.visible = false;
    if (simple) this.define(this.mesh, "SIMPLE", true);
    for (const drawn of [this.mesh, this.lines, this.ghost]) drawn.frustumCulled = false;
    this.layers = [wholeLayer(surface)];
    this.setParts(surface.model.parts.map(() => true));
  }

  /** [points, 3] each; null: none. */
  setDisplacements(first: Float32Array | null, second: Float32Array | null): void {
    if (this.firstPoints !== first) {
      this.spread(first, this.first, 3);
      this.setTilts(first, this.tilt);
    }
    if (this.secondPoints !== second) {
      this.spread(second, this.second, 3);
      this.setTilts(second, this.secondTilt);
    }
    this.firstPoints = first;
    this.secondPoints = second;
    for (const drawn of [this.mesh, this.lines]) this.define(drawn, "SECOND", second !== null);
    this.draw();
  }

  private spread(from: Float32Array | null, to: BufferAttribute, components: number): void {
    const { pointOf } = this.surface;
    const array = to.array as Float32Array;
    if (!from) array.fill(0);
    else {
      for (let v = 0; v < pointOf.length; ++v)
        for (let k = 0; k < components; ++k) {
          const value = from[components * pointOf[v] + k];
          array[components * v + k] = Number.isNaN(value) ? 0 : value;
        }
    }
    to.needsUpdate = true;
  }

  private setTilts(displacements: Float32Array | null, to: BufferAttribute): void {
    const array = to.array as Float32Array;
    if (displacements) tilts(this.surface, displacements, array);
    else array.fill(0);
    to.needsUpdate = true;
  }

  setDeformation(first: number, second = 0): void {
    this.deformation.set(first, second);
    this.draw();
  }

  /** [points] each; first null: parts have colours of their own. */
  setValues(first: Float32Array | null, second: Float32Array | null = null): void {
    this.define(this.mesh, "COLOURED", first !== null);
    if (first && (first !== this.valuesFirst || second !== this.valuesSecond)) {
      const { pointOf } = this.surface;
      const to = this.values.array as Float32Array;
      for (let v = 0; v < pointOf.length; ++v) {
        const a = first[pointOf[v]];
        const b = second ? second[pointOf[v]] : 0;
        to[2 * v] = Number.isNaN(a) ? gap : a;
        to[2 * v + 1] = Number.isNaN(b) ? 0 : b;
      }
      this.values.needsUpdate = true;
    }
    this.valuesFirst = first;
    this.valuesSecond = second;
    this.draw();
  }

  setWeights(first: number, second: number): void {
    (this.mesh.material.uniforms.weights.value as Vector2).set(first, second);
    this.draw();
  }

  setRange(low: number, high: number): void {
    (this.mesh.material.uniforms.range.value as Vector2).set(low, high > low ? high : low + Math.abs(low) * 1e-6 + 1e-30);
    this.draw();
  }

  setPalette(name: string, bands: number): void {
    const texture = this.mesh.material.uniforms.palette.value as DataTexture;
    (texture.image.data as Uint8Array).set(paletteTexels(name, bands));
    texture.needsUpdate = true;
    this.draw();
  }

  setParts(isOn: boolean[]): void {
    this.seen = seenChunks(this.surface.model, isOn);
    this.ranges = seenRanges(this.layers[0], this.seen);
    this.shown = this.layers.map((layer) => this.shownOf(layer));
    this.show();
  }

  private shownOf(layer: Layer): Shown {
    return {
      triangles: new BufferAttribute(seenTriangles(layer, this.seen), 1),
      all: new BufferAttribute(seenEdges(layer, this.seen, true), 1),
      sharp: new BufferAttribute(seenEdges(layer, this.seen, false), 1),
    };
  }

  setEdges(edges: Edges): void {
    this.edges = edges;
    this.show();
  }

  setQuality(quality: Quality): void {
    if (quality.edges === this.quality.edges && quality.coarse === this.quality.coarse) return;
    this.quality = quality;
    this.show();
  }

  /** Makes the coarser surfaces, without which all of it is drawn even where less is asked for. */
  makeCoarse(): void {
    if (this.layers.length > 1) return;
    const made = coarser(this.surface, fewTriangles);
    this.layers.push(...made);
    this.shown.push(...made.map((layer) => this.shownOf(layer)));
    this.show();
  }

  private show(): void {
    const shown = this.shown[this.quality.coarse] ?? this.shown[0];
    this.mesh.geometry.setIndex(shown.triangles);
    this.lines.geometry.setIndex(this.edges === "all" && this.quality.edges ? shown.all : shown.sharp);
    this.ghost.geometry.setIndex(shown.sharp);
    this.lines.visible = this.edges !== "none";
    this.draw();
  }

  setGhost(shown: boolean): void {
    this.ghost.visible = shown;
    this.draw();
  }

  setCut(cut: Cut | null): void {
    const plane = this.cut;
    if (!cut) plane.set(0, 0, 0, 1e30);
    else {
      const { low, high } = this.surface.model;
      const half = (high[cut.axis] - low[cut.axis]) / 2;
      // The ends lie a little outside, so that there all or nothing is seen.
      const at = (2 * cut.at - 1) * (half * 1.1 + 0.06 * this.surface.size);
      const sign = cut.flipped ? -1 : 1;
      plane.set(cut.axis === 0 ? sign : 0, cut.axis === 1 ? sign : 0, cut.axis === 2 ? sign : 0, sign * at);
    }
    for (const drawn of [this.mesh, this.lines, this.ghost]) this.define(drawn, "CUT", cut !== null);
    this.mesh.material.side = cut || this.surface.model.sheets ? DoubleSide : FrontSide;
    this.draw();
  }

  private define(drawn: { material: ShaderMaterial }, name: string, on: boolean): void {
    if ((name in drawn.material.defines) === on) return;
    if (on) drawn.material.defines[name] = 1;
    else delete drawn.material.defines[name];
    drawn.material.needsUpdate = true;
  }

  setInk(dark: boolean): void {
    const ink = dark ? 0.02 : 0.08;
    (this.lines.material.uniforms.colour.value as Vector4).set(ink, ink, ink + 0.03, dark ? 0.7 : 0.5);
    const pale = dark ? 0.75 : 0.35;
    (this.ghost.material.uniforms.colour.value as Vector4).set(pale, pale, pale, 0.5);
    this.draw();
  }

  /** Where a point is now, [3]. */
  place(point: number): [number, number, number] {
    const { x: a, y: b } = this.deformation;
    const at = 3 * point;
    return [0, 1, 2].map(
      (k) =>
        this.surface.points[at + k] +
        (this.firstPoints ? a * this.firstPoints[at + k] : 0) +
        (this.secondPoints ? b * this.secondPoints[at + k] : 0),
    ) as [number, number, number];
  }

  /** What a ray meets, deformed and cut as it is drawn. */
  hit(from: Vector3, ray: Vector3): Hit | null {
    const { x: a, y: b } = this.deformation;
    const moved = { first: this.firstPoints, second: this.secondPoints, a, b };
    return hitOf(this.surface, this.ranges, moved, from, ray, this.cut);
  }
}
