// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// node check_page.mjs SETKA WEB [PICTURES]: a deck through setka report, and its page in a headless Chromium that draws without
// a GPU. What the page shows is held against what the command prints. PICTURES: a folder to leave screenshots in.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [setka, web, pictures] = process.argv.slice(2).map((path) => resolve(path));

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const page_file = join(setka, "../../share/setka/report.html");
if (!existsSync(page_file)) skip(`no ${page_file}; the build has had no network`);
let chromium;
try {
  ({ chromium } = createRequire(join(web, "package.json"))("playwright-core"));
} catch {
  skip("no playwright-core; the build has had no network");
}
const browser_path = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`).find(existsSync);
if (!browser_path) skip("no Chromium");

/** A bar of two materials that is held at one end: pulled, then its modes, then let go. */
function deck() {
  const [nx, ny, nz] = [16, 4, 3];
  const number = (i, j, k) => 1 + i + (nx + 1) * (j + (ny + 1) * k);
  const lines = ["*HEADING", "A bar of <two> materials", "*NODE, NSET=ALL"];
  const held = [];
  const end = [];
  for (let k = 0; k <= nz; ++k)
    for (let j = 0; j <= ny; ++j)
      for (let i = 0; i <= nx; ++i) {
        lines.push(`${number(i, j, k)}, ${10 * i}, ${8 * j}, ${6 * k}`);
        if (i === 0) held.push(number(i, j, k));
        if (i === nx) end.push(number(i, j, k));
      }
  for (const [name, from, to] of [["NEAR", 0, nx / 2], ["FAR", nx / 2, nx]]) {
    lines.push(`*ELEMENT, TYPE=C3D8I, ELSET=${name}`);
    for (let k = 0; k < nz; ++k)
      for (let j = 0; j < ny; ++j)
        for (let i = from; i < to; ++i)
          lines.push([1 + i + nx * (j + ny * k), number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k), number(i, j + 1, k),
                      number(i, j, k + 1), number(i + 1, j, k + 1), number(i + 1, j + 1, k + 1), number(i, j + 1, k + 1)].join(", "));
  }
  const set = (name, nodes) => {
    lines.push(`*NSET, NSET=${name}`);
    for (let i = 0; i < nodes.length; i += 10) lines.push(nodes.slice(i, i + 10).join(", "));
  };
  set("HELD", held);
  set("END", end);
  for (const [name, modulus] of [["STEEL", 210000], ["BRASS", 100000]])
    lines.push(`*MATERIAL, NAME=${name}`, "*ELASTIC", `${modulus}, 0.3`, "*DENSITY", "7.8e-9");
  lines.push("*SOLID SECTION, ELSET=NEAR, MATERIAL=STEEL", "*SOLID SECTION, ELSET=FAR, MATERIAL=BRASS");
  lines.push("*BOUNDARY", "HELD, 1, 3");
  const output = ["*NODE FILE", "U, RF", "*EL FILE", "S", "*END STEP"];
  lines.push("*STEP", "*STATIC", "*CLOAD", "END, 3, -5", ...output);
  lines.push("*STEP", "*FREQUENCY", "6", ...output);
  lines.push("*STEP", "*MODAL DYNAMIC", "2e-4, 4e-3", "*MODAL DAMPING", "1, 6, 0.02", "*CLOAD, OP=NEW", "END, 3, -5", ...output);
  return lines.join("\n") + "\n";
}

const folder = mkdtempSync(join(tmpdir(), "setka-report-"));
let browser;
try {
  writeFileSync(join(folder, "bar.inp"), deck());
  const printed = JSON.parse(execFileSync(setka, ["report", "bar.inp", "--json", "-q", "--backend", "cpu"], { cwd: folder, encoding: "utf8" }));
  const file = join(folder, "bar.html");
  assert.deepEqual(printed.files.map((name) => name.replace(/.*\//, "")), ["bar.html"]);
  assert.ok(!existsSync(join(folder, "bar.frd")), "setka report writes the page alone");

  browser = await chromium.launch({
    executablePath: browser_path,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light", reducedMotion: "reduce", acceptDownloads: true });
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  const shot = async (name) => {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: name.endsWith("whole") });
  };

  // Of the picture: how many pixels are drawn, how many colours they have, and a sum that changes with any of them.
  const seen = () =>
    page.evaluate(async () => {
      const { viewer } = window.setka;
      await new Promise((done) => setTimeout(done, 900)); // until it is still, and has all its pixels
      viewer.drawNow();
      const flat = document.createElement("canvas");
      [flat.width, flat.height] = [viewer.canvas.width, viewer.canvas.height];
      const paper = flat.getContext("2d", { willReadFrequently: true });
      paper.drawImage(viewer.canvas, 0, 0);
      const { data } = paper.getImageData(0, 0, flat.width, flat.height);
      const colours = new Set();
      let drawn = 0;
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 128) continue;
        ++drawn;
        colours.add((data[i] >> 4) * 256 + (data[i + 1] >> 4) * 16 + (data[i + 2] >> 4));
        sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2] + i) % 1_000_000_007;
      }
      return { drawn, colours: colours.size, sum, of: data.length / 4 };
    });
  const canvas = page.locator("#model canvas");
  const control = (name) => page.locator(".panel").getByLabel(name, { exact: true });
  const press = (name) => page.locator(".panel").getByRole("button", { name, exact: true }).click();
  const choose = async (name, value) => {
    await control(name).selectOption(value);
    await page.waitForTimeout(300);
  };
  const states = await control("State").locator("option").allTextContents();
  const still = await page.evaluate(() => window.setka.player.playing);
  assert.equal(still, false, "nothing plays where the user wants less motion");

  // It draws, in many colours, and what it draws fills a part of the picture.
  const first = await seen();
  assert.ok(first.drawn > 0.03 * first.of && first.drawn < 0.9 * first.of, `drawn: ${first.drawn} of ${first.of}`);
  assert.ok(first.colours > 20, `colours: ${first.colours}`);
  await shot("mode-light");

  // States are those of the run: the static one, modes with their frequencies, then times.
  const modes = printed.steps[1].modes;
  assert.equal(states.filter((name) => name.startsWith("Mode ")).length, modes.length);
  modes.forEach((mode, k) => {
    const shown = Number(states.find((name) => name.startsWith(`Mode ${k + 1}:`)).match(/: ([\d.e+-]+) cycles/)[1]);
    assert.ok(Math.abs(shown / mode.frequency - 1) < 1e-4, `mode ${k + 1}: ${shown} and ${mode.frequency}`);
  });
  assert.ok(states.filter((name) => name.includes("Step 3, time")).length > 10);

  // Values: the largest displacement is where and what the command says.
  await choose("State", "0");
  await choose("Colour", "U.size");
  await press("Largest");
  const said = await page.locator(".said").textContent();
  const largest = printed.steps[0].largest_displacement;
  const [, node, value] = said.match(/^Node (\d+): Displacement, size ([\d.e+-]+),/);
  assert.ok(Math.abs(Number(value) / largest.value - 1) < 1e-3, `${said}: ${largest.value}`);
  // Nodes of the end move alike; the one that is named has the largest value of them all.
  assert.ok(Math.abs(Number(node) - largest.node) % 17 === 0, `${said}: node ${largest.node}`);
  assert.ok(await page.locator(".mark").isVisible());
  // Under the pointer.
  const box = await canvas.boundingBox();
  const [x, y] = await page.evaluate(() => {
    const { viewer, surface } = window.setka;
    for (let k = 0; k < surface.labels.length; ++k) {
      const at = viewer.onScreen(k)?.map(Math.round);
      const around = [[0, 0], [-3, 0], [3, 0], [0, -3], [0, 3]]; // not at the rim, which a rounded pixel may miss
      if (at && around.every(([dx, dy]) => viewer.pick(at[0] + dx, at[1] + dy)?.point === k)) return at;
    }
    return null;
  });
  await page.mouse.move(box.x + x, box.y + y);
  await page.locator(".tip").waitFor({ state: "visible" });
  assert.match(await page.locator(".tip").textContent(), /Displacement, size.*node \d+/);
  await page.mouse.move(box.x + 3, box.y + 3);
  await shot("static-light");

  // A tenth of the model is what the largest displacement is drawn as; nothing at zero.
  const moved = () =>
    page.evaluate(() => {
      const { viewer, surface } = window.setka;
      let most = 0;
      for (let k = 0; k < surface.labels.length; ++k)
        most = Math.max(most, Math.hypot(...viewer.place(k).map((x, i) => x - surface.points[3 * k + i])));
      return most / surface.size;
    });
  const tenth = await moved();
  assert.ok(tenth > 0.09 && tenth <= 0.1001, `${tenth} of the model`);
  await control("Amount").fill("0");
  assert.equal(await moved(), 0);
  await control("Amount").fill("100");

  // It turns: by keys right round back to where it was, and by the mouse; it zooms.
  await canvas.focus();
  const before = await seen();
  for (let k = 0; k < 12; ++k) await page.keyboard.press("ArrowRight");
  assert.notEqual((await seen()).sum, before.sum);
  for (let k = 0; k < 36; ++k) await page.keyboard.press("ArrowRight");
  const round = await seen();
  assert.ok(Math.abs(round.drawn / before.drawn - 1) < 2e-3, `${before.drawn} and, once round, ${round.drawn} pixels`);
  await page.mouse.move(box.x + 300, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 380, box.y + 330, { steps: 4 });
  await page.mouse.up();
  const dragged = await seen();
  assert.notEqual(dragged.sum, round.sum);
  await page.mouse.wheel(0, -600);
  assert.ok((await seen()).drawn > 1.05 * dragged.drawn);
  await canvas.focus();
  await page.keyboard.press("i");

  // It plays: a mode swings to both sides, a static state from nothing to the whole, a motion through its states.
  const swings = async () => {
    const sizes = [];
    for (let k = 0; k < 14; ++k) {
      sizes.push(await page.evaluate(() => window.setka.viewer.body.deformation.x / window.setka.player.factor));
      await page.waitForTimeout(150);
    }
    return [Math.min(...sizes), Math.max(...sizes)];
  };
  await choose("State", "1");
  await canvas.focus();
  const drawn_before = await page.evaluate(() => window.setka.viewer.framesDrawn);
  await page.keyboard.press(" ");
  const [low, high] = await swings();
  assert.ok(low < -0.3 && high > 0.3 && low >= -1 && high <= 1, `a mode from ${low} to ${high}`);
  assert.ok((await page.evaluate(() => window.setka.viewer.framesDrawn)) > drawn_before + 3);
  // A processor draws less while it moves, but all of it for a picture that is saved meanwhile, and when it is still.
  const drawn_as = () => page.evaluate(() => ({ ...window.setka.viewer.body.quality }));
  const all_of_it = { edges: true, coarse: 0, pixels: 1 };
  assert.notDeepEqual(await drawn_as(), all_of_it);
  const saved = await page.evaluate(() => {
    const { viewer } = window.setka;
    viewer.drawWhole();
    return { quality: { ...viewer.body.quality }, width: viewer.canvas.width, of: viewer.canvas.clientWidth };
  });
  assert.deepEqual(saved, { quality: all_of_it, width: saved.of, of: saved.of });
  await page.waitForFunction(() => !window.setka.viewer.body.quality.edges);
  await page.keyboard.press(" ");
  await seen();
  assert.deepEqual(await drawn_as(), all_of_it);
  await choose("State", "0");
  await press("Play");
  const [least, most] = await swings();
  assert.ok(least >= -1e-9 && least < 0.5 && most > 0.5 && most <= 1, `a static state from ${least} to ${most}`);
  await press("Pause");
  const times = states.map((name, k) => (name.includes("Step 3, time") ? k : -1)).filter((k) => k >= 0);
  await choose("State", String(times[0]));
  await press("Play");
  await page.waitForFunction((k) => window.setka.player.frame > k + 1, times[0]);
  await press("Pause");

  // Parts and cuts.
  await choose("State", "0");
  const whole = await seen();
  await page.getByLabel("FAR: BRASS", { exact: true }).uncheck();
  const half = await seen();
  assert.ok(half.drawn < 0.75 * whole.drawn && half.drawn > 0.25 * whole.drawn, `${half.drawn} of ${whole.drawn}`);
  await press("None");
  assert.equal((await seen()).drawn, 0);
  await press("All");
  assert.equal((await seen()).sum, whole.sum);
  await page.locator("summary", { hasText: "Cut" }).click();
  await choose("Plane", "0");
  const cut = await seen();
  assert.ok(cut.drawn < 0.85 * whole.drawn && cut.drawn > 0.2 * whole.drawn, `${cut.drawn} of ${whole.drawn}`);
  await shot("cut-light");
  await choose("Plane", "off");

  // Of a node over the states of its step.
  await choose("State", String(times[0]));
  await press("Largest");
  await press("Plot over states");
  await page.locator("figcaption", { hasText: "Displacement, size at node" }).waitFor();

  // The picture is a PNG.
  const [download] = await Promise.all([page.waitForEvent("download"), press("Save picture")]);
  assert.equal(download.suggestedFilename(), "bar.png");
  const png = readFileSync(await download.path());
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 10_000);

  // Tables are tables, with the numbers of the run; what the deck calls itself is text.
  const table = page.getByRole("table", { name: /frequencies/ });
  const cells = await table.locator("tbody tr").first().locator("th, td").allTextContents();
  assert.ok(Math.abs(Number(cells[1]) / modes[0].frequency - 1) < 1e-5, `${cells[1]}: ${modes[0].frequency}`);
  const sums = await page.getByRole("table", { name: /reaction forces/ }).locator("tbody tr").first().locator("td").allTextContents();
  assert.ok(Math.abs(Number(sums[2]) - 5 * 20) < 1e-3, `reactions ${sums}`);
  assert.equal(await page.locator("h1").textContent(), "A bar of <two> materials");
  assert.ok((await page.locator("#plots .u-over").count()) > 0);

  // Every control has a name; dark colours are chosen by the system or by hand; a telephone has no need to scroll sideways.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select")].filter(
      (one) => !(one.getAttribute("aria-label") || one.textContent.trim() && one.tagName === "BUTTON" || one.closest("label"))).length);
  assert.equal(nameless, 0);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await ground(), light);
  await shot("dark");
  await page.getByRole("button", { name: "Light colours" }).click();
  assert.equal(await ground(), light);
  await shot("light-whole");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.waitForTimeout(300);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${wide} pixels wider than a telephone`);
  await shot("narrow-whole");

  assert.deepEqual(wrong, []);
  console.log(`${states.length} states, ${first.colours} colours: drawn, turned, played, cut and saved`);
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
