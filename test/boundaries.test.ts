import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

/** Node modules without effects: a pure file may import them. */
const PURE_NODE_MODULES = new Set(["node:net", "node:crypto", "node:util", "node:url", "node:path", "node:zlib"]);
/** Rooms of technique: every file in them may have effects, and none knows a domain. */
const INFRASTRUCTURE = new Set(["postgres", "queue", "ocr", "images", "outgoing", "tracing"]);
const INFRASTRUCTURE_FILES = new Set([
  "child-process.ts",
  "files.ts",
  "idle-timers.ts",
  "kept-file.ts",
  "log.ts",
  "log-output.ts",
  "random.ts",
]);
const ROOT_FILES = new Set(["main.ts", "app.ts", "cli.ts", "config.ts", "database.ts"]);
/** Pure files in rooms whose other files have effects. */
const PURE_EXCEPTIONS = new Set([
  "http/strip-nulls.ts",
  "http/formats.ts",
  "http/version.ts",
  "http/validation.ts",
  "http/operation.ts",
  "http/schema-members.ts",
  "http/problem-example.ts",
  "http/problem-schema.ts",
  "http/service-operations.ts",
  "http/service-schema.ts",
  "images/compare/affine.ts",
  "ocr/page.ts",
  "postgres/rollback.ts",
  "postgres/array-columns.ts",
  "postgres/binary-array.ts",
  "postgres/cell.ts",
  "postgres/statement.ts",
  "tracing/tracing.ts",
]);

/**
 * The rights of a file, by its name: `store.ts` and `*.store.ts` read and write the database and data files,
 * `routes.ts` and `*.routes.ts` speak HTTP, `*.task.ts` and all files of a folder `stages` combine stores and
 * infrastructure, `module.ts` assembles a domain. Every other file of a domain is pure.
 */
type Kind = "pure" | "store" | "routes" | "task" | "module" | "infrastructure" | "http" | "root";

const MAY_IMPORT: Record<Kind, readonly Kind[]> = {
  pure: ["pure"],
  store: ["pure", "store"],
  routes: ["pure", "store", "http", "infrastructure"],
  task: ["pure", "store", "task", "infrastructure"],
  module: ["pure", "store", "routes", "task", "http", "infrastructure"],
  infrastructure: ["pure", "infrastructure"],
  http: ["pure", "http"],
  root: ["pure", "store", "task", "module", "infrastructure", "http", "root"],
};

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => file.replaceAll("\\", "/"));

function kindOf(file: string): Kind {
  const folders = file.split("/");
  const name = folders.pop()!;
  if (PURE_EXCEPTIONS.has(file)) return "pure";
  if (ROOT_FILES.has(file) || folders[0] === "cli") return "root";
  if (INFRASTRUCTURE_FILES.has(file) || INFRASTRUCTURE.has(folders[0] ?? "")) return "infrastructure";
  if (folders[0] === "http" || file === "html/page.ts") return "http";
  if (name === "module.ts") return "module";
  if (folders.at(-1) === "stages") return "task";
  const suffix = /(?:^|\.)(store|routes|task)\.ts$/.exec(name);
  return suffix ? (suffix[1] as Kind) : "pure";
}

/** The values that a file imports at run time (`import type` is no dependency of behaviour). */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;]*?\sfrom\s+)?"([^"]+)";/gms);
  // Loaded when it is needed.
  const later = text.matchAll(/\bawait import\("([^"]+)"\)/g);
  return [...statements, ...later].map((match) => match[1]!);
}

function inSrc(file: string, target: string): string | null {
  if (!target.startsWith(".")) return null;
  return relative(SRC, resolve(SRC, dirname(file), target)).replaceAll("\\", "/");
}

/** The files of src that a file imports. */
function localImportsOf(file: string): string[] {
  return importsOf(file)
    .map((target) => inSrc(file, target))
    .filter((target) => target !== null);
}

test("data flows one way: pure files, then stores, then routes and tasks, then modules, then the app", () => {
  const wrong = files.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => !MAY_IMPORT[kindOf(file)].includes(kindOf(target)))
      .map((target) => `${file} (${kindOf(file)}) imports ${target} (${kindOf(target)})`),
  );
  assert.deepEqual(wrong, []);
});

test("a domain's routes are imported by its own module alone, and modules by the composition root alone", () => {
  const isAllowed = (file: string, target: string) =>
    kindOf(target) === "routes" ? kindOf(file) === "module" && isBelow(file, target) : file === "app.ts";
  const wrong = files.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => kindOf(target) === "routes" || kindOf(target) === "module")
      .filter((target) => !isAllowed(file, target))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

function isBelow(module: string, target: string): boolean {
  return target.startsWith(`${dirname(module)}/`);
}

/**
 * The folder of a file; a file at the root of src is a room of its own. Imports between a folder and the one that it
 * is in make no circle: the outer one's `module.ts` assembles the inner ones, which share the files beside it.
 */
function roomOf(file: string): string {
  return file.includes("/") ? dirname(file) : file;
}

function isInside(room: string, other: string): boolean {
  return room.startsWith(`${other}/`) || other.startsWith(`${room}/`);
}

test("no circle of folders: each can be read without those that import it", () => {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const room = roomOf(file);
    const others = localImportsOf(file)
      .map(roomOf)
      .filter((other) => other !== room && !isInside(room, other));
    imports.set(room, (imports.get(room) ?? new Set<string>()).union(new Set(others)));
  }
  // Rooms that import no other are taken away until none is left, or a circle.
  for (;;) {
    const leaves = [...imports].filter(([, others]) => [...others].every((other) => !imports.has(other)));
    if (leaves.length === 0) break;
    for (const [room] of leaves) imports.delete(room);
  }
  assert.deepEqual([...imports.keys()], []);
});

test("the service decodes no image in its own process: only what draws samples imports the decoder", () => {
  const reached = new Set(["main.ts"]);
  for (const file of reached) for (const target of localImportsOf(file)) reached.add(target);
  const importers = [...reached].filter((file) => importsOf(file).includes("sharp"));
  assert.deepEqual(importers.toSorted(), ["receipts/samples/photograph.task.ts"]);
});

test("pure files touch no clock, no randomness, no environment and no file", () => {
  const forbidden =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bcrypto\.random|\brandomBytes\b|\brandomUUID\b|\bfetch\(/;
  const wrong = files
    .filter((file) => kindOf(file) === "pure")
    .flatMap((file) => {
      const text = readFileSync(join(SRC, file), "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, "");
      const nodeModules = importsOf(file).filter(
        (target) => target.startsWith("node:") && !PURE_NODE_MODULES.has(target),
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

test("points are booked in one file: no other adds records, or changes points of a record or a balance", () => {
  // Statements without a table's name are not seen: those of `postgres/dump.ts`, which restore a backup.
  const change =
    /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE|MERGE\s+INTO|COPY)\s+(?:TABLE\s+|ONLY\s+)*"?(?:records|balances)\b/gi;
  const changes = files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), "utf8");
    return [...text.matchAll(change)].map(({ index }) => ({ file, sql: text.slice(index, index + 200) }));
  });
  const isBooking = (file: string) => file === "points/ledger.store.ts";
  assert.deepEqual(
    changes.filter(({ file }) => isBooking(file)).map(({ sql }) => /^\w+(?: INTO)? \w+/.exec(sql)?.[0]),
    ["INSERT INTO records", "UPDATE balances"],
  );
  const others = changes.filter(({ file }) => !isBooking(file));
  assert.deepEqual(
    others.map(({ file, sql }) => `${file}: ${/^.*?(?= SELECT | WHERE |`|;|$)/s.exec(sql)![0]}`).sort(),
    [
      // An erasure removes what was bought and eaten, and leaves the points.
      "users/erasure.store.ts: UPDATE records SET body = '{}', packed = NULL, rule_inputs = '{}', explained = NULL, inputs = NULL, evidence = NULL",
      // Enrolments open balances; every other column has the default of its table.
      "users/insert.store.ts: INSERT INTO balances (user_id)",
    ],
  );
});

test("infrastructure knows no domain", () => {
  const wrong = files
    .filter((file) => kindOf(file) === "infrastructure")
    .flatMap((file) =>
      localImportsOf(file)
        .filter((target) => target.includes("/") && !INFRASTRUCTURE.has(target.split("/")[0]!))
        .map((target) => `${file} imports ${target}`),
    );
  assert.deepEqual(wrong, []);
});

test("only webhooks and test images are fetched over the network, no other address that a request holds", () => {
  const speaks =
    /\bfetch\(|(?:\bfrom |\bimport\()"(?:undici|node:https|node:http2|@aws-sdk\/[\w-]+)"|\.dispatch\(|\b(?:request|get)\b[^;]*\bfrom "node:http"/;
  const speakers = files.filter((file) =>
    speaks.test(readFileSync(join(SRC, file), "utf8").replaceAll(/^import type .*$/gm, "")),
  );
  // The endpoint of S3 is a setting. `listen` forwards events to an address of the developer who runs it; `trigger`
  // decides on a hosted page.
  assert.deepEqual(speakers.sort(), [
    "cli/listen.ts",
    "cli/trigger-kinds.ts",
    "images/s3/objects.ts",
    "images/s3/setup.ts",
    "images/s3/store.ts",
    "outgoing/fetch-image.ts",
    "outgoing/guarded-agent.ts",
    "outgoing/http-sender.ts",
  ]);
});

test("what speaks S3 is loaded only where images are in a bucket", () => {
  const importers = files.filter((file) => importsOf(file).some((target) => target.startsWith("@aws-sdk/")));
  assert.ok(importers.length > 0 && importers.every((file) => file.startsWith("images/s3/")), importers.join());
  const reached = new Set(["main.ts", "cli.ts"]);
  for (const file of reached) {
    const targets = importsOf(file).filter((target) => !target.endsWith("/s3/store.ts"));
    for (const target of targets) reached.add(inSrc(file, target) ?? file);
  }
  assert.ok(reached.has("images/open-images.ts"));
  assert.deepEqual(
    importers.filter((file) => reached.has(file)),
    [],
  );
});

test("the SDK imports nothing of the service", () => {
  const sdk = join(ROOT, "sdk");
  const wrong = readdirSync(sdk, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|js)$/.test(file) && !file.includes("node_modules"))
    .filter((file) => /(?:from|import\() ?"(?:\.\.\/)+src\//.test(readFileSync(join(sdk, file), "utf8")));
  assert.deepEqual(wrong, []);
});
