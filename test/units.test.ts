import { globSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

// The tests beside the files they test, all in this process: a process for each took 31 s of CPU, one for all takes 9.
for (const file of globSync("src/**/*.test.ts", { cwd: ROOT }).sort()) await import(join(ROOT, file));
