// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// node check_types.mjs WEB: the sources of the page hold what their types promise, which the bundler does not look at.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
if (!existsSync(compiler)) {
  console.log(`skipped: no ${compiler}; the build has had no npm or no network`);
  process.exit(77);
}
const run = spawnSync(process.execPath, [compiler, "--noEmit", "-p", folder], { encoding: "utf8" });
process.stdout.write(run.stdout + run.stderr);
process.exit(run.status === 0 ? 0 : 1);
