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

// Tests the pool with processes that misbehave: they run small programs that obey commands and read no images.

const dir = mkdtempSync(join(tmpdir(), "rewards-ocr-pool-"));
after(() => rmSync(dir, { recursive: true }));

/** A program: an image is the name of a command; the width of a page is the id of the process that returned it. */
const READER = `
  const page = (id, rssBytes = 1) =>
    process.send({ kind: "page", id, page: { width: process.pid, height: 1, rotation: 0, boxes: [] }, rssBytes });
  const commands = {
    read: (id) => page(id),
    die: () => process.exit(3),
    hang: () => {},
    swell: (id) => page(id, 0.9 * 660 * 2 ** 20),
    replyToPrevious: (id) => { process.send({ kind: "unreadable", id: id - 1, reason: "late", rssBytes: 1 }); page(id); },
  };
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ id, image }) => commands[Buffer.from(image.bytes).toString()](id));
  process.send({ kind: "ready" });`;

/** The beginning of a program that writes its process id to a file, atomically. */
function writesPid(file: string): string {
  const [path, draft] = [file, `${file}.draft`].map((name) => JSON.stringify(name));
  return `import { renameSync, writeFileSync } from "node:fs";
    writeFileSync(${draft}, String(process.pid));
    renameSync(${draft}, ${path});`;
}

let programs = 0;

/** Creates a pool whose processes run this program. */
function poolOf(t: TestContext, program: string, options: OcrOptions = {}) {
  const path = join(dir, `${++programs}.mjs`);
  writeFileSync(path, program);
  const pool = createOcr({ processes: 1, program: pathToFileURL(path), ...options });
  t.after(() => pool.close());
  return { close: pool.close, run: (command: string) => pool.read({ bytes: Buffer.from(command) }) };
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
  const { run } = poolOf(t, READER, { processes: 2 });
  const commands = Array.from({ length: 9 }, (_, i) => (i % 3 === 1 ? "die" : "read"));
  const outcomes = await Promise.all(
    commands.map((command) =>
      run(command).then(
        () => "read",
        (error: unknown) => (kind("crashed")(error) ? "die" : error),
      ),
    ),
  );
  assert.deepEqual(outcomes, commands);
});

test("a process that dies at its start, as without its models, fails its image; once it starts images are read", async (t) => {
  const corrected = join(dir, "corrected");
  const program = `import { existsSync } from "node:fs";\nif (!existsSync(${JSON.stringify(corrected)})) process.exit(1);\n`;
  const { run } = poolOf(t, program + READER);
  await assert.rejects(run("read"), kind("crashed"));
  await assert.rejects(run("read"), kind("crashed"));
  writeFileSync(corrected, "");
  assert.ok(await run("read"));
});

test("a process that is killed between two images costs at most the next one, once", async (t) => {
  const { run } = poolOf(t, READER);
  const { width: pid } = await run("read");
  process.kill(pid, "SIGKILL");
  const next = await run("read").catch((error: unknown) => kind("crashed")(error) || assert.fail(String(error)));
  assert.ok(next);
  assert.notEqual((await run("read")).width, pid);
});

test("a process that hangs, while it starts or over an image, is ended, and its image fails as a timeout", async (t) => {
  const starting = poolOf(t, "setInterval(() => {}, 1_000);", { timeoutMs: 1 });
  await assert.rejects(starting.run("read"), kind("timeout"));
  const started = join(dir, "hangs");
  // On a slow machine the timeout may end before the image has reached the process: the test holds either way.
  const { run } = poolOf(t, writesPid(started) + READER, { timeoutMs: 500 });
  await assert.rejects(run("hang"), kind("timeout"));
  if (existsSync(started)) await gone(Number(readFileSync(started, "utf8")));
});

test("a late reply is not taken for that of the next image", async (t) => {
  const { run } = poolOf(t, READER);
  await run("read");
  assert.ok(await run("replyToPrevious"));
});

test("over the memory limit a process is replaced: after its image, or during it if the system reports memory", async (t) => {
  const { run } = poolOf(t, READER);
  const { width: pid } = await run("swell");
  assert.notEqual((await run("read")).width, pid);
  await gone(pid);
  if (process.platform !== "linux") return;
  await assert.rejects(poolOf(t, READER, { memoryLimitMb: 1 }).run("hang"), kind("crashed"));
});

test("a process without an image for a time is ended, and the next image starts another", async (t) => {
  const { run } = poolOf(t, READER, { processes: 2, idleMsMax: 50 });
  const pages = await Promise.all([run("read"), run("read")]);
  for (const { width: pid } of pages) await gone(pid);
  const { width: next } = await run("read");
  assert.ok(!pages.some(({ width }) => width === next));
});

test("a process that has images is not ended between them", async (t) => {
  const { run } = poolOf(t, READER, { idleMsMax: 600_000 });
  const { width: pid } = await run("read");
  for (let image = 0; image < 3; image++) assert.equal((await run("read")).width, pid);
});

test("a process that cannot be created fails its image, and nothing else", async (t) => {
  const pool = createOcr({ program: new URL("http://127.0.0.1/no-program") });
  t.after(() => pool.close());
  for (let image = 0; image < 2; image++) {
    await assert.rejects(pool.read({ bytes: Buffer.alloc(1) }), kind("crashed"));
  }
});

test("closed during its work the pool rejects images in progress and waiting ones, and leaves no process", async (t) => {
  const { run, close } = poolOf(t, READER);
  const { width: pid } = await run("read");
  const inProgress = assert.rejects(run("hang"), kind("closed"));
  const waiting = assert.rejects(run("read"), kind("closed"));
  await close();
  await Promise.all([inProgress, waiting]);
  await gone(pid);
  await assert.rejects(run("read"), kind("closed"));
});

test("closed while a process starts that ignores messages, the pool leaves no process either", async (t) => {
  const started = join(dir, "deaf");
  const deaf = `process.on("disconnect", () => {});\nsetInterval(() => {}, 1_000);\n`;
  const { run, close } = poolOf(t, deaf + writesPid(started));
  const inProgress = assert.rejects(run("read"), kind("closed"));
  for (const deadline = Date.now() + 60_000; !existsSync(started); await sleep(5))
    assert.ok(Date.now() < deadline, "the program was not started within a minute");
  await close();
  await inProgress;
  await gone(Number(readFileSync(started, "utf8")));
});
