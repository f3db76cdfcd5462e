// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The other side of setka/io/report_codec.cpp.

async function inflated(number: number): Promise<Uint8Array> {
  const text = document.getElementById(`numbers-${number}`)?.textContent ?? "";
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** [components, points] */
export async function unpackCodes(number: number, points: number, components: number): Promise<Uint16Array> {
  const bytes = await inflated(number);
  const count = points * components;
  const codes = new Uint16Array(count);
  for (let c = 0; c < components; ++c) {
    let before = 0;
    for (let i = c * points; i < (c + 1) * points; ++i) {
      const folded = bytes[i] | (bytes[count + i] << 8);
      before = (before + ((folded >> 1) ^ -(folded & 1))) & 0xffff;
      codes[i] = before;
    }
  }
  return codes;
}

/** Numbers of any length one after the other: seven bits a byte, the lowest first, the last byte below 128. */
function reader(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
}

export async function unpackReferences(number: number, count: number): Promise<Uint32Array> {
  const bytes = await inflated(number);
  const nextValue = reader(bytes);
  const references = new Uint32Array(count);
  let next = 0;
  for (let i = 0; i < count; ++i) {
    const value = nextValue();
    references[i] = next - value;
    if (value === 0) ++next;
  }
  return references;
}

export async function unpackNumbers(number: number, count: number): Promise<Int32Array> {
  const bytes = await inflated(number);
  const nextValue = reader(bytes);
  const numbers = new Int32Array(count);
  let before = 0;
  for (let i = 0; i < count; ++i) {
    const value = nextValue();
    before += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    numbers[i] = before;
  }
  return numbers;
}

/** The highest code that is a number; the one above it is a gap. */
export const mostCode = (bits: number): number => 2 ** bits - 2;
