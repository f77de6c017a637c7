import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { IMMUTABLE, sendStaticAsset, staticAsset } from "../http/static-asset.ts";
import type { Server } from "../http/server.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** The parts of `console.css`, which every page needs: one file, so that it is one request. A later one wins. */
const COMMON = ["../../html/assets/theme", "common/frame", "common/text", "common/tables", "common/forms"];

/** The styles and scripts of the console, in a folder named by a hash of them all: they are cached for good. */
export interface ConsoleAssets {
  /** The path of the folder, without the base path. */
  readonly path: string;
  routes(scope: Server): void;
}

/** Reads the styles and scripts. */
export function readAssets(): ConsoleAssets {
  const dir = join(import.meta.dirname, "assets");
  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  const own = readdirSync(dir).filter((name) => /\.(?:css|js)$/.test(name));
  const assets = [
    { name: "console.css", text: COMMON.map((name) => read(`${name}.css`)).join("") },
    ...own.toSorted().map((name) => ({ name, text: read(name) })),
  ];
  const hash = createHash("sha256");
  for (const { name, text } of assets) hash.update(`${name} ${text.length} ${text}`);
  const path = `/console/assets/${hash.digest("hex").slice(0, 12)}`;
  return {
    path,
    routes: (scope) => {
      for (const { name, text } of assets) {
        const asset = staticAsset(text);
        const type = TYPES[name.split(".").at(-1)!]!;
        scope.get(`${path}/${name}`, { config: { console: "open" } }, (request, reply) =>
          sendStaticAsset(request, reply, asset, { type, cacheControl: IMMUTABLE }),
        );
      }
    },
  };
}
