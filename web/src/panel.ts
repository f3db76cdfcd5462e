// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import type { Cut, Edges } from "./body";
import { palettes } from "./colours";
import { button, checkbox, labelled, make, option } from "./dom";
import type { ModelView } from "./model_view";
import { frameName, short } from "./words";

/** The controls beside the picture. */
export class Panel {
  readonly element: HTMLElement;
  private readonly state: HTMLSelectElement;
  private readonly result: HTMLSelectElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly factor: HTMLOutputElement;
  private readonly trueSize: HTMLLabelElement;
  private readonly history: HTMLButtonElement;
  private readonly partBoxes: HTMLInputElement[] = [];
  private isOn: boolean[];
  private cut: Cut = { axis: 0, at: 0.5, flipped: false };
  private cuts = false;

  constructor(private readonly view: ModelView) {
    const { report, player, viewer } = view;
    this.isOn = report.model.parts.map(() => true);

    this.state = make("select");
    report.frames.forEach((frame, i) => this.state.append(option(String(i), frameName(frame))));
    this.state.addEventListener("change", () => {
      const playing = player.playing && player.motion()[0] === player.motion()[1];
      player.play(false);
      void player.show(Number(this.state.value)).then(() => playing && player.play(true));
    });
    this.result = make("select");
    this.result.append(option("", "parts, no result"));
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const choice of view.choices) {
      let group = groups.get(choice.group);
      if (!group) {
        group = make("optgroup", { label: choice.group });
        groups.set(choice.group, group);
        this.result.append(group);
      }
      group.append(option(choice.key, choice.label));
    }
    this.result.addEventListener("change", () => player.choose(this.result.value));

    this.play = button("Play", () => player.play(!player.playing), { class: "primary" });
    const speed = make("select", { "aria-label": "Speed" });
    for (const factor of [0.25, 0.5, 1, 2, 4]) speed.append(option(String(factor), `${factor}×`));
    speed.value = "1";
    speed.addEventListener("change", () => (player.speed = Number(speed.value)));

    this.slider = make("input", { type: "range", min: 0, max: 300, step: 1, value: 100 });
    this.factor = make("output");
    this.slider.addEventListener("input", () => player.setSlider(Number(this.slider.value) / 100));
    this.trueSize = checkbox("as large as computed", player.trueSize, (on) => player.setTrueSize(on));
    this.history = button("Plot over states", () => void view.plotMarked(), { disabled: true });

    this.element = make("div", { class: "panel" });
    this.element.append(
      this.group(
        "Result",
        true,
        labelled("State", make("span", { class: "pair" }, this.state, this.stepButton("‹", -1), this.stepButton("›", 1))),
        labelled("Colour", this.result),
        this.colours(),
        checkbox("same range in all states", false, (on) => {
          player.sameRange = on;
          void player.show();
        }),
      ),
      this.group(
        "Deformation",
        true,
        labelled("Amount", this.slider),
        make("p", { class: "hint" }, this.factor),
        this.trueSize,
        make("div", { class: "buttons" }, this.play, speed),
      ),
      this.group("Parts", report.model.parts.length > 1, this.parts()),
      this.group("Cut", false, ...this.cutControls()),
      this.group(
        "Look",
        true,
        make(
          "div",
          { class: "buttons" },
          button("Fit", () => viewer.eye.fit()),
          button("Across", () => viewer.eye.look([1.1, -1.5, 0.85])),
          ...(["X", "Y", "Z"] as const).map((axis, k) =>
            button(axis, () => viewer.eye.look(k === 0 ? [1, 0, 0] : k === 1 ? [0, -1, 0] : [0, 0, 1]), {
              "aria-label": `Look along ${axis}`,
            }),
          ),
        ),
        this.edges(),
        checkbox("outline at rest", false, (on) => viewer.body.setGhost(on)),
      ),
      this.group(
        "Values",
        true,
        make(
          "div",
          { class: "buttons" },
          button("Largest", () => view.markExtreme(true)),
          button("Smallest", () => view.markExtreme(false)),
          this.history,
        ),
        this.nodeSearch(),
      ),
      make("div", { class: "buttons" }, button("Save picture", () => view.savePicture()), this.fullScreen()),
    );
  }

  private group(name: string, open: boolean, ...children: Node[]): HTMLElement {
    return make("details", { open }, make("summary", {}, name), ...children);
  }

  private stepButton(name: string, by: number): HTMLButtonElement {
    return button(name, () => void this.view.go(by), { "aria-label": by > 0 ? "Next state" : "State before" });
  }

  private colours(): HTMLElement {
    const palette = make("select", { "aria-label": "Palette" });
    for (const [key, own] of Object.entries(palettes)) palette.append(option(key, own.label));
    const bands = make("select", { "aria-label": "Bands" });
    bands.append(option("0", "smooth"), option("9", "9 bands"), option("12", "12 bands"));
    const change = (): void => this.view.setPalette(palette.value, Number(bands.value));
    palette.addEventListener("change", change);
    bands.addEventListener("change", change);
    return labelled("Scale", make("span", { class: "pair" }, palette, bands));
  }

  private edges(): HTMLElement {
    const { chunks } = this.view.report.model;
    const select = make("select");
    select.append(option("sharp", "outlines"));
    const all = chunks.some((chunk) => chunk.edges > chunk.sharp);
    if (all) select.append(option("all", "of all elements"));
    select.append(option("none", "none"));
    const few = this.view.report.model.triangleCount < 20_000;
    select.value = all && few ? "all" : "sharp";
    this.view.viewer.body.setEdges(select.value as Edges);
    select.addEventListener("change", () => this.view.viewer.body.setEdges(select.value as Edges));
    return labelled("Edges", select);
  }

  private parts(): HTMLElement {
    const { parts } = this.view.report.model;
    const list = make("ul", { class: "parts" });
    const apply = (): void => {
      this.partBoxes.forEach((box, k) => (box.checked = this.isOn[k]));
      this.view.viewer.body.setParts(this.isOn);
    };
    let wasSection = true;
    parts.forEach((part, k) => {
      if (wasSection && !part.section) list.append(make("li", { class: "hint" }, "Sets of elements"));
      wasSection = part.section;
      const check = checkbox(part.name, true, (on) => {
        this.isOn[k] = on;
        apply();
      });
      this.partBoxes.push(check.querySelector("input")!);
      const only = button("only", () => {
        // Sets do not hide one another: one alone is what is in it, whatever its sections are.
        this.isOn = parts.map((other, j) => (part.section ? j === k || !other.section : j === k || other.section));
        if (!part.section) this.hideOutside(k);
        apply();
      }, { class: "small", "aria-label": `Only ${part.name}` });
      list.append(make("li", {}, check, only));
    });
    return make(
      "div",
      {},
      list,
      make(
        "div",
        { class: "buttons" },
        button("All", () => {
          this.isOn = parts.map(() => true);
          apply();
        }),
        button("None", () => {
          this.isOn = parts.map(() => false);
          apply();
        }),
      ),
    );
  }

  /** Sections with nothing in a set go too. */
  private hideOutside(set: number): void {
    const { parts, chunks } = this.view.report.model;
    const inside = new Set(chunks.filter((chunk) => chunk.parts.includes(set)).flatMap((chunk) => chunk.parts));
    this.isOn = parts.map((part, j) => (part.section ? inside.has(j) : inside.has(j)));
  }

  private cutControls(): HTMLElement[] {
    const apply = (): void => this.view.viewer.body.setCut(this.cuts ? this.cut : null);
    const axis = make("select");
    axis.append(option("off", "none"), option("0", "across x"), option("1", "across y"), option("2", "across z"));
    const at = make("input", { type: "range", min: 0, max: 1000, value: 500 });
    axis.addEventListener("change", () => {
      this.cuts = axis.value !== "off";
      if (this.cuts) this.cut.axis = Number(axis.value) as Cut["axis"];
      apply();
    });
    at.addEventListener("input", () => {
      this.cut.at = Number(at.value) / 1000;
      apply();
    });
    return [
      labelled("Plane", axis),
      labelled("Place", at),
      checkbox("the other side", false, (on) => {
        this.cut.flipped = on;
        apply();
      }),
      make("p", { class: "hint" }, "The surface is all that this file holds: a cut shows it from inside."),
    ];
  }

  private nodeSearch(): HTMLElement {
    const input = make("input", { type: "number", min: 1, step: 1, placeholder: "number" });
    const search = (): void => {
      if (input.value !== "") this.view.markNode(Number(input.value));
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") search();
    });
    return labelled("Node", make("span", { class: "pair" }, input, button("Show", search)));
  }

  private fullScreen(): HTMLButtonElement {
    return button("Full screen", () => {
      const model = this.element.parentElement!;
      if (document.fullscreenElement) void document.exitFullscreen();
      else void model.requestFullscreen?.();
    });
  }

  /** After anything has changed. */
  refresh(): void {
    const { player } = this.view;
    this.state.value = String(player.frame);
    this.result.value = player.choice?.key ?? "";
    this.play.textContent = player.playing ? "Pause" : "Play";
    this.play.disabled = !player.canPlay;
    this.slider.value = String(Math.round(100 * player.slider));
    const factor = player.factor;
    this.factor.textContent = factor === 0 ? "not deformed" : `displacements × ${short(factor, 3)}`;
    this.slider.setAttribute("aria-valuetext", this.factor.textContent);
    this.trueSize.querySelector("input")!.checked = player.trueSize;
    this.history.disabled = this.view.markedNode === null || !player.choice;
  }
}
