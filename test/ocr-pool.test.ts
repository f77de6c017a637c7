import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createOcr, OcrFailure } from "../src/ocr/ocr.ts";
import type { OcrOptions } from "../src/ocr/ocr.ts";

// How the pool holds up whatever its processes do: they run small programs that misbehave as told, and read nothing.

const dir = mkdtempSync(join(tmpdir(), "rewards-ocr-pool-"));
after(() => rmSync(dir, { recursive: true }));

/** The beginning of a program: an image is the name of what is to be done; a page's width is the process that gave it. */
const READER = `
  const page = (id, rssBytes = 1) =>
    process.send({ kind: "page", id, page: { width: process.pid, height: 1, rotation: 0, boxes: [] }, rssBytes });
  const deeds = {
    read: (id) => page(id),
    die: () => process.exit(3),
    hang: () => {},
    swell: (id) => page(id, 0.9 * 660 * 2 ** 20),
    answerTheOneBefore: (id) => { process.send({ kind: "unreadable", id: id - 1, reason: "late", rssBytes: 1 }); page(id); },
  };
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ id, image }) => deeds[Buffer.from(image.bytes).toString()](id));
  process.send({ kind: "ready" });`;

/** The beginning of a program that leaves its process id in a file, all of it at once. */
function noting(file: string): string {
  const [path, draft] = [file, `${file}.draft`].map((name) => JSON.stringify(name));
  return `import { renameSync, writeFileSync } from "node:fs";
    writeFileSync(${draft}, String(process.pid));
    renameSync(${draft}, ${path});`;
}

let programs = 0;

/** A pool whose processes run this program. */
function poolOf(t: TestContext, program: string, options: OcrOptions = {}) {
  const path = join(dir, `${++programs}.mjs`);
  writeFileSync(path, program);
  const pool = createOcr({ processes: 1, program: pathToFileURL(path), ...options });
  t.after(() => pool.close());
  return { close: pool.close, told: (deed: string) => pool.read({ bytes: Buffer.from(deed) }) };
}

const kind = (expected: OcrFailure["kind"]) => (error: unknown) =>
  error instanceof OcrFailure && error.kind === expected;

async function gone(pid: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; isRunning(pid); await sleep(5)) {
    assert.ok(Date.now() < deadline, "the process was not ended within a minute");
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a process that dies fails its own image as crashed, however often; the others are read", async (t) => {
  const { told } = poolOf(t, READER, { processes: 2 });
  const deeds = Array.from({ length: 9 }, (_, i) => (i % 3 === 1 ? "die" : "read"));
  const outcomes = await Promise.all(
    deeds.map((deed) =>
      told(deed).then(
        () => "read",
        (error: unknown) => (kind("crashed")(error) ? "die" : error),
      ),
    ),
  );
  assert.deepEqual(outcomes, deeds);
});

test("a process that dies at its start, as where a model is missing, fails its image; once it starts images are read", async (t) => {
  const mended = join(dir, "mended");
  const program = `import { existsSync } from "node:fs";\nif (!existsSync(${JSON.stringify(mended)})) process.exit(1);\n`;
  const { told } = poolOf(t, program + READER);
  await assert.rejects(told("read"), kind("crashed"));
  await assert.rejects(told("read"), kind("crashed"));
  writeFileSync(mended, "");
  assert.ok(await told("read"));
});

test("a process that is killed between two images costs at most the next one, once", async (t) => {
  const { told } = poolOf(t, READER);
  const { width: pid } = await told("read");
  process.kill(pid, "SIGKILL");
  const next = await told("read").catch((error: unknown) => kind("crashed")(error) || assert.fail(String(error)));
  assert.ok(next);
  assert.notEqual((await told("read")).width, pid);
});

test("a process that hangs, while it starts or over an image, is ended, and its image fails as a timeout", async (t) => {
  const starting = poolOf(t, "setInterval(() => {}, 1_000);", { timeoutMs: 1 });
  await assert.rejects(starting.told("read"), kind("timeout"));
  const started = join(dir, "hangs");
  // On a slow machine it is over before the image has reached the process, which is as good.
  const { told } = poolOf(t, noting(started) + READER, { timeoutMs: 500 });
  await assert.rejects(told("hang"), kind("timeout"));
  if (existsSync(started)) await gone(Number(readFileSync(started, "utf8")));
});

test("an answer that comes too late is not taken for that of the next image", async (t) => {
  const { told } = poolOf(t, READER);
  await told("read");
  assert.ok(await told("answerTheOneBefore"));
});

test("over the memory limit a process is replaced: after its image, or in the middle of it where the system tells", async (t) => {
  const { told } = poolOf(t, READER);
  const { width: pid } = await told("swell");
  assert.notEqual((await told("read")).width, pid);
  await gone(pid);
  if (process.platform !== "linux") return;
  await assert.rejects(poolOf(t, READER, { memoryLimitMb: 1 }).told("hang"), kind("crashed"));
});

test("a process that cannot even be made fails its image, and nothing else", async (t) => {
  const pool = createOcr({ program: new URL("http://127.0.0.1/no-program") });
  t.after(() => pool.close());
  for (let image = 0; image < 2; image++) {
    await assert.rejects(pool.read({ bytes: Buffer.alloc(1) }), kind("crashed"));
  }
});

test("closed amid its work the pool rejects what is in hand and what waits, and leaves no process", async (t) => {
  const { told, close } = poolOf(t, READER);
  const { width: pid } = await told("read");
  const inHand = assert.rejects(told("hang"), kind("closed"));
  const waiting = assert.rejects(told("read"), kind("closed"));
  await close();
  await Promise.all([inHand, waiting]);
  await gone(pid);
  await assert.rejects(told("read"), kind("closed"));
});

test("closed while a process starts that hears nothing, the pool leaves no process either", async (t) => {
  const started = join(dir, "deaf");
  const deaf = `process.on("disconnect", () => {});\nsetInterval(() => {}, 1_000);\n`;
  const { told, close } = poolOf(t, deaf + noting(started));
  const inHand = assert.rejects(told("read"), kind("closed"));
  for (const deadline = Date.now() + 60_000; !existsSync(started); await sleep(5))
    assert.ok(Date.now() < deadline, "the program was not started within a minute");
  await close();
  await inHand;
  await gone(Number(readFileSync(started, "utf8")));
});
