// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
import { make } from "./dom";

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners: ((dark: boolean) => void)[] = [];
let chosen: boolean | null = null;

export const isDark = (): boolean => chosen ?? system.matches;

export function onTheme(listener: (dark: boolean) => void): void {
  listeners.push(listener);
}

function tell(): void {
  const dark = isDark();
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const listener of listeners) listener(dark);
}

/** That of the system until the button is pressed. */
export function themeButton(): HTMLButtonElement {
  const made = make("button", { type: "button", class: "theme" });
  const name = (): void => {
    made.textContent = isDark() ? "Light" : "Dark";
    made.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  };
  made.addEventListener("click", () => {
    chosen = !isDark();
    tell();
  });
  system.addEventListener("change", tell);
  onTheme(name);
  tell();
  return made;
}
