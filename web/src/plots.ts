// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import uPlot from "uplot";
import type { Plot } from "./data";
import { make } from "./dom";
import { tableElement } from "./tables";
import { short } from "./words";

/** Told apart by lightness too; dashes help from the fifth on. */
const inks = ["#0b8f8a", "#d2603a", "#5c6bc0", "#b58a00", "#a8457e", "#5d8a3a"];

/** All x of all series, each y where it has one: uPlot wants one x for all. */
function aligned(plot: Plot): (number | null)[][] {
  const places = [...new Set(plot.series.flatMap((series) => series.x))].sort((a, b) => a - b);
  const at = new Map(places.map((x, i) => [x, i]));
  const columns = plot.series.map((series) => {
    const column: (number | null | undefined)[] = new Array(places.length).fill(undefined);
    series.x.forEach((x, i) => {
      const y = series.y[i];
      column[at.get(x)!] = y === null || (plot.logY && !(y > 0)) ? null : y;
    });
    return column as (number | null)[];
  });
  return [places, ...columns];
}

/** As many digits as tell neighbours on an axis apart. */
function tickText(value: number, step: number): string {
  const size = Math.abs(value);
  const digits = step > 0 && size > step ? Math.ceil(Math.log10(size / step) + 1) : 3;
  return short(value, Math.min(Math.max(digits, 3), 12));
}

const isPowerOfTen = (value: number): boolean => {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9;
};

export class PlotCard {
  readonly element: HTMLElement;
  private readonly host: HTMLElement;
  private chart: uPlot | null = null;

  constructor(private readonly plot: Plot) {
    this.host = make("div", { class: "plot", role: "img", "aria-label": `${plot.title}: ${plot.y} over ${plot.x}` });
    const numbers = make("details", {}, make("summary", {}, "Numbers"));
    numbers.addEventListener("toggle", () => {
      if (numbers.open && numbers.childElementCount === 1) numbers.append(this.table());
    });
    this.element = make("figure", { class: "card" }, make("figcaption", {}, plot.title), this.host, numbers);
    if (plot.note) numbers.before(make("p", { class: "note" }, plot.note));
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  private table(): HTMLElement {
    const rows = aligned(this.plot);
    return tableElement({
      title: this.plot.title,
      columns: [this.plot.x, ...this.plot.series.map((series) => series.name)],
      rows: rows[0].map((_, i) => rows.map((column) => column[i] ?? null)),
    });
  }

  private resize(): void {
    const width = Math.floor(this.host.clientWidth);
    if (width < 50) return;
    if (this.chart) this.chart.setSize({ width, height: 300 });
    else this.draw();
  }

  /** Anew, as when the page's colours have changed. */
  draw(): void {
    const width = Math.floor(this.host.clientWidth);
    if (width < 50) return;
    this.chart?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink-soft").trim();
    const line = style.getPropertyValue("--line").trim();
    // Over many powers of ten, lines between them would be a grey ground.
    const powers = (_: uPlot, splits: number[]): (number | null)[] =>
      splits.map((value) => (isPowerOfTen(value) ? value : null));
    const axis = (label: string, log = false): uPlot.Axis => ({
      label,
      stroke: ink,
      labelSize: 22,
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      grid: { stroke: line, width: 1, ...(log ? { filter: powers } : {}) },
      ticks: { stroke: line, width: 1, ...(log ? { filter: powers } : {}) },
      values: (_, values, _axis, _space, step) =>
        values.map((value) => (value === null ? "" : tickText(value, log ? 0 : step))),
    });
    this.chart = new uPlot(
      {
        width,
        height: 300,
        legend: { live: true },
        cursor: { drag: { x: true, y: false } },
        scales: {
          x: { time: false, distr: this.plot.logX ? 3 : 1 },
          y: { distr: this.plot.logY ? 3 : 1 },
        },
        axes: [axis(this.plot.x, this.plot.logX), { ...axis(this.plot.y, this.plot.logY), size: 68 }],
        series: [
          { label: this.plot.x, value: (_, value) => (value === null ? "" : short(value, 6)) },
          ...this.plot.series.map((series, k) => {
            const colour = inks[k % inks.length];
            const few = series.x.length < 60;
            return {
              label: series.name,
              stroke: colour,
              width: series.points ? 0 : 2,
              dash: k >= 4 ? [6, 4] : undefined,
              spanGaps: true,
              paths: series.points ? () => null : undefined,
              points: { show: series.points || few, size: series.points ? 8 : 5, fill: colour, stroke: colour },
              value: (_: uPlot, value: number | null) => (value === null ? "" : short(value, 6)),
            };
          }),
        ],
      },
      aligned(this.plot) as uPlot.AlignedData,
      this.host,
    );
  }
}
