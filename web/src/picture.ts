// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { banded, paletteBytes } from "./colours";
import type { ModelView } from "./model_view";
import { onScale } from "./words";

/** What is seen, with its name and scale, on the page's ground. */
export function picture(view: ModelView): HTMLCanvasElement {
  view.viewer.drawWhole(); // a drawing buffer is read in the same turn in which it is drawn
  const from = view.viewer.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = from.width;
  canvas.height = from.height;
  const scale = from.width / view.canvasHost.clientWidth;
  const context = canvas.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim();
  context.fillStyle = style.getPropertyValue("--ground").trim();
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(from, 0, 0);
  context.scale(scale, scale);
  context.fillStyle = ink;
  context.textBaseline = "middle";
  const { title, state, legend, low, high } = view.captions;
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(title, 18, 24);
  context.font = "13px system-ui, sans-serif";
  context.fillText(state, 18, 44);
  if (legend === "") return canvas;
  const height = 170;
  const top = view.canvasHost.clientHeight - height - 22;
  context.fillText(legend, 18, top - 18);
  const bytes = paletteBytes(view.palette);
  for (let y = 0; y < height; ++y) {
    const i = 4 * Math.round(255 * banded(1 - y / height, view.bands));
    context.fillStyle = `rgb(${bytes[i]} ${bytes[i + 1]} ${bytes[i + 2]})`;
    context.fillRect(18, top + y, 16, 1.5);
  }
  context.fillStyle = ink;
  for (let i = 0; i <= 6; ++i) context.fillText(onScale(low + ((6 - i) / 6) * (high - low), high - low), 42, top + (i / 6) * height);
  return canvas;
}

export function savePicture(view: ModelView): void {
  const name = `${view.report.deck.replace(/\.[^.]*$/, "")}.png`;
  picture(view).toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
