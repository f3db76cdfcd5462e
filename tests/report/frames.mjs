// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// node frames.mjs REPORT WEB [SECONDS] [PICTURES]: how many frames a second the page draws while it is turned by the pointer,
// while it plays, and while both happen, in a headless Chromium that draws without a GPU. No test: a time depends on what else
// the machine does, which is why the work of all processes of the browser a frame is printed too. PICTURES: a folder for
// screenshots at rest and amid motion.
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, web] = process.argv.slice(2, 4).map((path) => resolve(path));
const seconds = Number(process.argv[4] ?? 6);
const pictures = process.argv[5];
const { chromium } = createRequire(join(web, "package.json"))("playwright-core");
const browser = await chromium.launch({
  executablePath: ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`).find(existsSync),
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const load = () => loadavg()[0].toFixed(1);

/** Draws while `during` runs: those animation frames in which the model was drawn anew, and the time between them. */
async function measured(page, processes, during) {
  await page.evaluate(() => {
    const { viewer } = window.setka;
    const times = (window.framesAt = []);
    let before = viewer.framesDrawn;
    const look = (now) => {
      if (window.framesAt !== times) return;
      if (viewer.framesDrawn !== before) times.push(now);
      before = viewer.framesDrawn;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const work = async () => {
    const sums = {};
    for (const one of (await processes.send("SystemInfo.getProcessInfo")).processInfo)
      sums[one.type] = (sums[one.type] ?? 0) + one.cpuTime;
    return sums;
  };
  const before = await work();
  await during();
  const after = await work();
  const times = await page.evaluate(() => {
    const all = window.framesAt;
    window.framesAt = null;
    return all;
  });
  const steps = times.slice(1).map((time, k) => time - times[k]).sort((a, b) => a - b);
  const frames = steps.length;
  const share = (type) => ((1000 * ((after[type] ?? 0) - (before[type] ?? 0))) / frames).toFixed(1);
  return {
    "frames/s": ((1000 * frames) / (times.at(-1) - times[0])).toFixed(1),
    "median ms": steps[frames >> 1]?.toFixed(1),
    "slowest tenth ms": steps[Math.floor(0.9 * frames)]?.toFixed(1),
    "work ms/frame: page": share("renderer"),
    "drawing": share("GPU"),
    "browser": share("browser"),
    "pixels": await page.evaluate(() => `${window.setka.viewer.canvas.width} x ${window.setka.viewer.canvas.height}`),
    "load": load(),
  };
}

try {
  const processes = await browser.newBrowserCDPSession();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => console.log(`error: ${error.message}`));
  await page.goto(pathToFileURL(report).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  await sleep(1500);
  const model = await page.evaluate(() => {
    const { surface, report: own } = window.setka;
    const facts = own.facts.filter(([name]) => name === "Nodes" || name === "Unknowns").map((fact) => fact.join(" "));
    return [...facts, `${surface.model.triangleCount} triangles`, `${surface.model.edgeCount} edges`, `${own.frames.length} states`].join(", ");
  });
  console.log(`${report}\n${model}; ${cpus().length} processors, load ${load()} before`);
  const shot = async (name) => {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  const box = await page.locator("#model canvas").boundingBox();
  const input = await context.newCDPSession(page);
  /** Round and round by the pointer, which tells its place sixty times a second. */
  const turn = async () => {
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 800 - box.y) / 2];
    const tell = (type, angle, buttons) =>
      input.send("Input.dispatchMouseEvent", {
        type, x: x + 180 * Math.sin(angle), y: y + 60 * Math.sin(0.7 * angle), button: type === "mouseMoved" ? "none" : "left", buttons, clickCount: 1,
      });
    await tell("mouseMoved", 0, 0);
    await tell("mousePressed", 0, 1);
    const told = [];
    const begin = performance.now();
    let now = 0;
    for (let k = 1; now < 1000 * seconds; ++k) {
      await sleep(Math.max(1, (k * 1000) / 60 - now));
      now = performance.now() - begin;
      told.push(tell("mouseMoved", now / 500, 1));
    }
    await Promise.all(told);
    await shot("turning");
    await tell("mouseReleased", now / 500, 0);
  };
  const rest = async (name) => {
    await sleep(1500);
    await shot(name);
  };
  const play = (on) => page.evaluate((wanted) => window.setka.player.play(wanted), on);

  await rest("rest");
  const rows = {};
  rows.turning = await measured(page, processes, turn);
  await rest("turned");
  await play(true);
  rows.playing = await measured(page, processes, async () => {
    await sleep(1000 * seconds);
    await shot("playing");
  });
  rows["turning while playing"] = await measured(page, processes, turn);
  await play(false);
  await page.getByLabel("Edges", { exact: true }).selectOption("all");
  await rest("edges");
  rows["turning, all edges"] = await measured(page, processes, turn);
  await rest("edges-turned");
  console.table(rows);
} finally {
  await browser.close();
}
