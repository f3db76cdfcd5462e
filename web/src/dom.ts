// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes (functions are listeners) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

export function option(value: string, label: string): HTMLOptionElement {
  return make("option", { value }, label);
}

/** A control, or several of which the first has this name, with the name before it. */
export function labelled(name: string, control: HTMLElement): HTMLElement {
  const several = !control.matches("select, input");
  const named = several ? control.querySelector("select, input") : control;
  if (named && !named.hasAttribute("aria-label")) named.setAttribute("aria-label", name);
  return make(several ? "div" : "label", { class: "row" }, make("span", { "aria-hidden": several ? "true" : "false" }, name), control);
}

export function checkbox(name: string, checked: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const input = make("input", { type: "checkbox", checked });
  input.addEventListener("change", () => change(input.checked));
  return make("label", { class: "check" }, input, make("span", {}, name));
}

export function button(name: string, press: () => void, more: Attributes = {}): HTMLButtonElement {
  return make("button", { type: "button", click: press, ...more }, name);
}
