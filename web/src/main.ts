// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { readReport, type Report } from "./data";
import { button, make } from "./dom";
import { ModelView } from "./model_view";
import { PlotCard } from "./plots";
import { factsElement, stagesElement, tableElement } from "./tables";
import { isDark, onTheme, themeButton } from "./theme";

function header(report: Report): HTMLElement {
  const what = make("p", { class: "sub" }, `${report.deck}, computed ${report.made} by ${report.program}`);
  const links = make("nav", { "aria-label": "Parts of this report" });
  const link = (id: string, name: string): void => {
    links.append(make("a", { href: `#${id}` }, name));
  };
  link("model", "Model");
  link("computed", "What was computed");
  if (report.tables.length > 0) link("tables", "Tables");
  if (report.plots.length > 0) link("plots", "Plots");
  return make("header", {}, make("div", {}, make("h1", {}, report.title), what), links, themeButton());
}

function list(title: string, sentences: string[], kind: string): HTMLElement {
  const items = make("ul");
  for (const sentence of sentences) items.append(make("li", {}, sentence));
  return make("section", { class: `card ${kind}` }, make("h3", {}, title), items);
}

function computed(report: Report): HTMLElement {
  const part = make("section", { id: "computed" }, make("h2", {}, "What was computed"));
  const grid = make("div", { class: "grid" });
  grid.append(make("section", { class: "card" }, make("h3", {}, "Model and run"), factsElement(report)));
  if (report.heading) grid.append(make("section", { class: "card" }, make("h3", {}, "Heading of the deck"), make("pre", {}, report.heading)));
  if (report.steps.length > 0) {
    const steps = make("ol", { class: "steps" });
    for (const step of report.steps)
      steps.append(make("li", { value: step.number }, make("strong", {}, step.procedure), make("span", {}, ` ${step.text}`)));
    grid.append(make("section", { class: "card" }, make("h3", {}, "Steps"), steps));
  }
  if (report.warnings.length > 0) grid.append(list("Warnings", report.warnings, "warning"));
  if (report.leftOut.length > 0) grid.append(list("What this page leaves out", report.leftOut, ""));
  part.append(grid);
  return part;
}

async function start(): Promise<void> {
  const page = document.getElementById("page")!;
  const report = readReport();
  document.title = `${report.title}: Setka report`;
  page.append(header(report));
  const main = make("main");
  page.append(main);
  if (report.failed) main.append(make("p", { class: "fault", role: "alert" }, report.failed));
  const model = make("section", { id: "model", "aria-label": "Model" });
  main.append(model, computed(report));

  if (report.tables.length > 0) {
    const tables = make("div", { class: "grid tables" });
    for (const table of report.tables) tables.append(tableElement(table));
    main.append(make("section", { id: "tables" }, make("h2", {}, "Tables"), tables));
  }
  const plots = report.plots.map((plot) => new PlotCard(plot));
  const time = make("section", { id: "plots" });
  if (plots.length > 0) {
    const grid = make("div", { class: "grid plots" });
    for (const plot of plots) grid.append(plot.element);
    time.append(make("h2", {}, "Plots"), grid);
  }
  main.append(time);
  if (report.stages) main.append(stagesElement(report.stages));
  page.append(
    make("footer", {}, `Made by ${report.program}. This file holds all it shows: it can be kept, sent and opened without a network.`),
  );
  onTheme(() => plots.forEach((plot) => plot.draw()));

  if (report.model.triangleCount === 0) {
    model.append(make("p", { class: "note" }, "The model has no surface to show."));
    return;
  }
  const addPlot = (card: PlotCard): void => {
    time.hidden = false;
    let grid = time.querySelector(".grid");
    if (!grid) {
      grid = make("div", { class: "grid plots" });
      time.append(make("h2", {}, "Plots"), grid);
    }
    grid.prepend(card.element);
    card.element.scrollIntoView({ block: "nearest" });
    plots.push(card);
  };
  try {
    const view = await ModelView.make(report, model, isDark(), addPlot);
    onTheme((dark) => view.setTheme(dark));
    (window as unknown as { setka: ModelView }).setka = view;
  } catch (error) {
    model.append(
      make("p", { class: "fault", role: "alert" }, `The model cannot be drawn here: ${(error as Error).message}. Tables and plots are below.`),
      button("Try again", () => location.reload()),
    );
  }
  document.documentElement.dataset.ready = "yes";
}

void start().catch((error: Error) => {
  document.getElementById("page")!.append(make("p", { class: "fault", role: "alert" }, error.message));
});
