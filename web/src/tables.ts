// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Cell, Report, StageTime, Table } from "./data";
import { make } from "./dom";
import { short } from "./words";

const rowsAtOnce = 30;

function cellText(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "number" ? short(cell, 6) : cell;
}

/** Without the columns in which no row has anything. */
function filled(table: Table): Table {
  const used = table.columns.map((_, k) => k === 0 || table.rows.some((row) => row[k] !== null && row[k] !== ""));
  const of = <T>(all: T[]): T[] => all.filter((_, k) => used[k]);
  return { ...table, columns: of(table.columns), rows: table.rows.map(of) };
}

export function tableElement(given: Table): HTMLElement {
  const table = filled(given);
  const isText = table.columns.map((_, k) => table.rows.some((row) => typeof row[k] === "string"));
  const head = make("tr");
  table.columns.forEach((name, k) =>
    head.append(make("th", { scope: "col", class: isText[k] ? "text" : "" }, name)),
  );
  const body = make("tbody");
  const add = (rows: Cell[][]): void => {
    for (const row of rows) {
      const line = make("tr");
      row.forEach((cell, k) =>
        line.append(
          k === 0
            ? make("th", { scope: "row", class: isText[k] ? "text" : "" }, cellText(cell))
            : make("td", { class: isText[k] ? "text" : "" }, cellText(cell)),
        ),
      );
      body.append(line);
    }
  };
  add(table.rows.slice(0, rowsAtOnce));
  const scroll = make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title },
    make("table", {}, make("caption", {}, table.title), make("thead", {}, head), body),
  );
  const card = make("section", { class: "card" }, scroll);
  if (table.rows.length > rowsAtOnce) {
    const rest = table.rows.length - rowsAtOnce;
    const more = make("button", { type: "button", class: "more" }, `Show ${rest} more rows`);
    more.addEventListener("click", () => {
      add(table.rows.slice(rowsAtOnce));
      more.remove();
    });
    card.append(more);
  }
  if (table.note) card.append(make("p", { class: "note" }, table.note));
  return card;
}

export function factsElement(report: Report): HTMLElement {
  const list = make("dl", { class: "facts" });
  for (const [name, value] of report.facts) list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  return list;
}

/** Where the time went: bars as long as their share. */
export function stagesElement(root: StageTime): HTMLElement {
  const rows: { stage: StageTime; depth: number }[] = [];
  const add = (stage: StageTime, depth: number): void => {
    rows.push({ stage, depth });
    for (const part of stage.parts) if (part.seconds > 0.005 * root.seconds) add(part, depth + 1);
  };
  add(root, 0);
  const body = make("tbody");
  for (const { stage, depth } of rows) {
    const share = root.seconds > 0 ? stage.seconds / root.seconds : 0;
    const bar = make("span", { class: "bar", style: `--share:${(100 * share).toFixed(2)}%`, "aria-hidden": "true" });
    body.append(
      make(
        "tr",
        {},
        make("th", { scope: "row", class: "text", style: `padding-left:${0.8 + 1.1 * depth}rem` }, stage.name),
        make("td", {}, `${short(stage.seconds, 3)} s`),
        make("td", {}, `${short(100 * share, 3)} %`),
        make("td", { class: "bars" }, bar),
      ),
    );
  }
  const head = make("tr", {});
  for (const name of ["stage", "time", "share", ""]) head.append(make("th", { scope: "col", class: name === "stage" ? "text" : "" }, name));
  return make(
    "section",
    { class: "card wide" },
    make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Where the time went" },
      make("table", {}, make("caption", {}, "Where the time went"), make("thead", {}, head), body),
    ),
    make("p", { class: "note" }, "Stages below half a percent of the time are left out."),
  );
}
