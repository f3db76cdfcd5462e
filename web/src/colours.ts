// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause

type Rgb = [number, number, number];

const hex = (text: string): Rgb => [0, 2, 4].map((i) => parseInt(text.slice(i, i + 2), 16)) as Rgb;
const stops = (text: string): Rgb[] => text.split(" ").map(hex);

/** From low to high. Lake grows lighter all the way, so that it is read without seeing hues. */
export const palettes: Record<string, { label: string; stops: Rgb[] }> = {
  lake: { label: "lake", stops: stops("22305e 2b568c 2a7fa3 2fa39b 67c27f b4d96b f7ec7a") },
  ember: { label: "ember", stops: stops("1f1438 5a1f63 9c2f66 d6504f f2893c fbc45a fdf3c0") },
  rainbow: { label: "rainbow", stops: stops("1f3fd6 1f9be0 22c9a4 4fcf3a d8dc2c f29a20 d9261c") },
  polar: { label: "blue to red", stops: stops("28559e 6d9bd0 bfd6ea f4f2ee f3c6ab dd7f5f a82a34") },
};

export function paletteBytes(name: string, width = 256): Uint8Array<ArrayBuffer> {
  const list = palettes[name].stops;
  const bytes = new Uint8Array(4 * width);
  for (let i = 0; i < width; ++i) {
    const at = (i / (width - 1)) * (list.length - 1);
    const k = Math.min(Math.floor(at), list.length - 2);
    for (let c = 0; c < 3; ++c) bytes[4 * i + c] = Math.round(list[k][c] + (at - k) * (list[k + 1][c] - list[k][c]));
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}

/** Entries of a palette as it is drawn with: enough that borders between bands are where they belong. */
export const paletteWidth = 1024;

/** In bands, unless there are none of them; the entry behind the last is that of no value. */
export function paletteTexels(name: string, bands: number): Uint8Array<ArrayBuffer> {
  const smooth = paletteBytes(name, paletteWidth);
  const texels = new Uint8Array(4 * (paletteWidth + 1)).fill(255);
  for (let i = 0; i < paletteWidth; ++i) {
    const from = 4 * Math.round((paletteWidth - 1) * banded(i / (paletteWidth - 1), bands));
    texels.set(smooth.subarray(from, from + 4), 4 * i);
  }
  texels.fill(140, 4 * paletteWidth, 4 * paletteWidth + 3);
  return texels;
}

/** The middle of the band in which it is; itself without bands. */
export const banded = (t: number, bands: number): number =>
  bands > 0 ? (Math.min(Math.floor(t * bands), bands - 1) + 0.5) / bands : t;

export function paletteGradient(name: string, bands: number): string {
  const bytes = paletteBytes(name);
  const colour = (t: number): string => {
    const i = 4 * Math.round(255 * t);
    return `rgb(${bytes[i]} ${bytes[i + 1]} ${bytes[i + 2]})`;
  };
  const list: string[] = [];
  if (bands > 0) {
    for (let b = 0; b < bands; ++b) {
      const own = colour((b + 0.5) / bands);
      list.push(`${own} ${(100 * b) / bands}%`, `${own} ${(100 * (b + 1)) / bands}%`);
    }
  } else {
    for (let i = 0; i <= 24; ++i) list.push(colour(i / 24));
  }
  return `linear-gradient(to top, ${list.join(",")})`;
}

/** Of parts, muted, as they carry shading. */
export function partColour(k: number): Rgb {
  const list = stops("7d97b5 c9a26b 87ad86 b98795 8fb3b6 b3a6cc c4b795 9aa0a8 d0967a 7fa6a0");
  return list[k % list.length];
}
