import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

const ADAPTER_FREE_NODE_MODULES = new Set(["node:net", "node:crypto", "node:util", "node:url", "node:path"]);
const EDGE_NAMES = new Set(["store.ts", "routes.ts", "stages.ts"]);
/** Where effects live by their folder or at the root; every other file of src is pure. */
const EDGE_FOLDERS = new Set(["adapters", "http"]);
const ROOT_EDGES = new Set(["main.ts", "app.ts", "cli.ts", "config.ts", "database.ts"]);
/** Pure files of the folders of edges: values in, values out. */
const PURE_AMONG_EDGES = new Set([
  "adapters/statement.ts",
  "http/absent.ts",
  "http/formats.ts",
  "http/version.ts",
  "http/validation.ts",
  "http/operation.ts",
  "http/meant.ts",
  "http/members.ts",
  "http/problem-schema.ts",
  "http/service-operations.ts",
]);

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => file.replaceAll("\\", "/"));

type Kind = "pure" | "store" | "routes" | "stages" | "adapter" | "http" | "root";

function kindOf(file: string): Kind {
  const slash = file.lastIndexOf("/");
  const [folder, name] = [file.slice(0, Math.max(0, slash)), file.slice(slash + 1)];
  if (PURE_AMONG_EDGES.has(file)) return "pure";
  if (folder === "") return ROOT_EDGES.has(name) ? "root" : "pure";
  // What the command line does is the outermost layer too.
  if (folder === "cli") return "root";
  if (folder === "adapters") return "adapter";
  if (EDGE_FOLDERS.has(folder)) return "http";
  if (EDGE_NAMES.has(name)) return name.slice(0, -3) as Kind;
  return "pure";
}

/** The values that a file imports at run time (`import type` is no dependency of behaviour). */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;]*?\sfrom\s+)?"([^"]+)";/gms);
  return [...statements].map((match) => match[1]!);
}

function inSrc(file: string, target: string): string | null {
  if (!target.startsWith(".")) return null;
  return relative(SRC, resolve(SRC, dirname(file), target)).replaceAll("\\", "/");
}

const MAY_IMPORT: Record<Kind, readonly Kind[]> = {
  pure: ["pure"],
  store: ["pure", "store"],
  routes: ["pure", "store", "http", "adapter"],
  stages: ["pure", "store", "adapter"],
  adapter: ["pure", "adapter"],
  http: ["pure", "http"],
  root: ["pure", "store", "routes", "stages", "adapter", "http", "root"],
};

test("data flows one way: pure files, then stores, then routes and stages, then the app", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .map((target) => inSrc(file, target))
      .filter((target) => target !== null)
      .filter((target) => !MAY_IMPORT[kindOf(file)].includes(kindOf(target)))
      .map((target) => `${file} (${kindOf(file)}) imports ${target} (${kindOf(target)})`),
  );
  assert.deepEqual(wrong, []);
});

test("only the composition root imports routes and stages", () => {
  const wrong = files
    .filter((file) => file !== "app.ts")
    .flatMap((file) =>
      importsOf(file)
        .map((target) => inSrc(file, target))
        .filter((target) => target !== null && ["routes", "stages"].includes(kindOf(target)))
        .map((target) => `${file} imports ${target}`),
    );
  assert.deepEqual(wrong, []);
});

test("pure files touch no clock, no randomness, no environment and no file", () => {
  const forbidden =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bcrypto\.random|\brandomBytes\b|\brandomUUID\b|\bfetch\(/;
  const wrong = files
    .filter((file) => kindOf(file) === "pure")
    .flatMap((file) => {
      const text = readFileSync(join(SRC, file), "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
      const nodeModules = importsOf(file).filter(
        (target) => target.startsWith("node:") && !ADAPTER_FREE_NODE_MODULES.has(target),
      );
      return [
        ...(forbidden.test(text) ? [`${file}: ${forbidden.exec(text)![0]}`] : []),
        ...nodeModules.map((name) => `${file} imports ${name}`),
      ];
    });
  assert.deepEqual(wrong, []);
});

test("the environment is read in one file", () => {
  const wrong = files.filter(
    (file) => file !== "config.ts" && /process\.env\b/.test(readFileSync(join(SRC, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

test("adapters know no domain: what they import of it is the pure half of what they carry", () => {
  const allowed = /^(?:adapters\/|receipts\/(?:reading\/read|samples\/\w+)\.ts$|[\w-]+\.ts$)/;
  const wrong = files
    .filter((file) => kindOf(file) === "adapter")
    .flatMap((file) =>
      importsOf(file)
        .map((target) => inSrc(file, target))
        .filter((target) => target !== null && !allowed.test(target))
        .map((target) => `${file} imports ${target}`),
    );
  assert.deepEqual(wrong, []);
});

test("only webhooks and test images are sent for over the network: no other address that is sent is ever fetched", () => {
  const speaks = /\bfetch\(|\bfrom "(?:undici|node:https|node:http2)"|\b(?:request|get)\b[^;]*\bfrom "node:http"/;
  const speakers = files.filter((file) =>
    speaks.test(readFileSync(join(SRC, file), "utf8").replaceAll(/^import type .*$/gm, "")),
  );
  // The command `listen` passes events on to where the developer who runs it says.
  assert.deepEqual(speakers.sort(), ["adapters/fetch-image.ts", "adapters/http-sender.ts", "cli/listen.ts"]);
});

test("the SDK imports nothing of the service", () => {
  const sdk = join(ROOT, "sdk");
  const wrong = readdirSync(sdk, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|js)$/.test(file) && !file.includes("node_modules"))
    .filter((file) => /(?:from|import\() ?"(?:\.\.\/)+src\//.test(readFileSync(join(sdk, file), "utf8")));
  assert.deepEqual(wrong, []);
});
