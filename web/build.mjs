// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// node build.mjs FILE: the page of reports as one file, with nothing that it would fetch.
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs FILE");

const bundle = async (entry, loader) =>
  (
    await build({
      entryPoints: [join(here, "src", entry)],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: ["es2022"],
      legalComments: "none",
      charset: "ascii",
      loader,
    })
  ).outputFiles[0].text;

const script = (await bundle("main.ts")).replaceAll("</script", "<\\/script");
const style = await bundle("page.css");
// Notices of what is bundled stay with it.
const notice = (name) => {
  const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim();
  return `${name}\n${text.replaceAll("--", "- -")}`;
};
const page = readFileSync(join(here, "src", "page.html"), "utf8")
  .replace("/* style */", () => style)
  .replace("/* script */", () => script)
  .replace("/* notices */", () => `${notice("three")}\n\n${notice("uplot")}`);
for (const mark of ["src=", "href=\"http", "url(http", "@import"]) {
  const at = page.replace(script, "").indexOf(mark);
  if (at >= 0) throw new Error(`the page would fetch something: ${page.slice(at, at + 60)}`);
}
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
