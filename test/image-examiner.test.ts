import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { StorageFull } from "../src/files.ts";
import { examineImage } from "../src/images/worker/examination.ts";
import { createImageExaminer } from "../src/images/worker/examiner.ts";
import type { ExaminerOptions, ImageExaminer } from "../src/images/worker/examiner.ts";
import type { Sender } from "../src/images/worker/turns.ts";
import { createOcr } from "../src/ocr/ocr.ts";
import { keptModels } from "./support/kept-files.ts";

const LIMITS = { pixelsMax: 50_000_000, longSideMaxPx: 4_000 };
const API: Sender = { applicationId: "a", session: null };
const LINUX = process.platform === "linux" ? false : "the system doesn't report what processes use";
const dir = await mkdtemp(join(tmpdir(), "rewards-image-examiner-"));
const examiners: ImageExaminer[] = [];
after(async () => {
  await Promise.all(examiners.map((examiner) => examiner.close()));
  await rm(dir, { recursive: true });
});

async function uploadOf(name: string): Promise<string> {
  const path = join(dir, name);
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  await sharp({ create: { width: 300, height: 280, channels: 3, background: "red", noise } })
    .jpeg({ quality: 80 })
    .toFile(path);
  return path;
}
const upload = await uploadOf("upload");

function examiner(options: ExaminerOptions = {}): ImageExaminer {
  examiners.push(createImageExaminer(options));
  return examiners.at(-1)!;
}

/** A decoder that obeys commands and decodes nothing: the name of the output file is the command. */
const OBEDIENT = `
  import { appendFileSync, existsSync, writeFileSync } from "node:fs";
  const examined = (kind) => process.send({ kind: "examined", examined: { kind }, rssBytes: 1 });
  const held = [];
  const commands = {
    none: () => examined("unreadable"),
    hang: ({ outputPath }) => writeFileSync(outputPath, "half"),
    hangAtStart: () => {},
    spin: () => { for (;;); },
    swell: () => setInterval(() => held.push(Buffer.alloc(32 * 2 ** 20, 1)), 1),
    die: () => process.exit(3),
    crash: () => process.abort(),
    full: () => process.send({ kind: "storage_full", rssBytes: 1 }),
    keep: () => process.send({ kind: "examined", examined: { kind: "unreadable" }, rssBytes: 2 ** 40 }),
    slow: () => setTimeout(() => examined("unreadable"), 200),
    wait: () => {
      const release = new URL("release", import.meta.url);
      const timer = setInterval(() => existsSync(release) && (clearInterval(timer), examined("unreadable")), 5);
    },
  };
  process.on("disconnect", () => process.exit(0));
  process.on("message", (request) => {
    const command = request.outputPath.split("/").at(-1).split("-")[0];
    appendFileSync(new URL("log", import.meta.url), process.pid + " " + request.outputPath.split("/").at(-1) + "\\n");
    if (command !== "hangAtStart") process.send({ kind: "step", step: "normalise" });
    commands[command](request);
  });`;

let programs = 0;

/** An examiner with such decoders, and the commands that they got, each with the process that got it. */
async function obedient(options: ExaminerOptions = {}) {
  const folder = await mkdtemp(join(dir, "program-"));
  const file = join(folder, `${++programs}.mjs`);
  await writeFile(file, OBEDIENT);
  const { examine } = examiner({ program: pathToFileURL(file), processes: 1, ...options });
  return {
    run: (command: string, sender = API) => examine(upload, join(folder, command), LIMITS, sender),
    got: () => readFileSync(join(folder, "log"), "utf8").trim().split("\n"),
    folder,
  };
}

/** Limits for each step, and for the start of a process, which takes its time on a busy machine. */
function limitsOf(step: { cpuMs: number; ms: number }, startMs = 60_000) {
  return { start: { cpuMs: 60_000, ms: startMs }, normalise: step, write: step, metadata: step, measure: step };
}
/** Soon reached by what hangs, and by what uses the processor: only one of them, however slow the machine. */
const SHORT = limitsOf({ cpuMs: 60_000, ms: 1_500 }, 5_000);
const CHEAP = limitsOf({ cpuMs: 300, ms: 60_000 });

test("a process examines uploads like the function itself, several at once and one that is no picture among them", async () => {
  const [{ examine }, junk] = [examiner(), join(dir, "junk")];
  await writeFile(junk, "MILK 1.45");
  const uploads = [upload, junk, upload, upload];
  const found = await Promise.all(uploads.map((path, i) => examine(path, join(dir, `kept${i}.jpg`), LIMITS, API)));
  const expected = await examineImage(upload, join(dir, "kept.jpg"), LIMITS);
  assert.ok(expected.kind === "ok" && expected.traces.moirePeak > 0);
  assert.deepEqual(found, [expected, { kind: "not_an_image" }, expected, expected]);
});

test("an upload that isn't there is rejected, and the next one examined", async () => {
  const { examine } = examiner();
  await assert.rejects(examine(join(dir, "nothing"), join(dir, "kept.jpg"), LIMITS, API), /ENOENT/);
  await assert.rejects(examine(upload, join(dir, "no", "folder"), LIMITS, API), /ENOENT/);
  assert.equal((await examine(upload, join(dir, "kept.jpg"), LIMITS, API)).kind, "ok");
});

test("a full disk is reported as StorageFull", async () => {
  const { run } = await obedient();
  await assert.rejects(run("full"), StorageFull);
});

test("a decoder that dies over a picture makes it unreadable, and the next one is examined", async () => {
  const { run, got } = await obedient();
  for (const end of ["die", "crash"]) assert.deepEqual(await run(end), { kind: "unreadable" });
  assert.deepEqual(await run("slow"), { kind: "unreadable" });
  assert.equal(new Set(got().map((line) => line.split(" ")[0])).size, 3, "each a process of its own");
});

test("a decoder that hangs in a step is killed before its upload ends as late, and the next one is examined", async () => {
  const { run, got, folder } = await obedient({ stepLimits: SHORT });
  assert.deepEqual(await run("hang"), { kind: "late" });
  assert.throws(() => process.kill(Number(got()[0]!.split(" ")[0]), 0), /ESRCH/, "it has ended");
  await rm(join(folder, "hang"));
  assert.deepEqual(await run("hangAtStart"), { kind: "late" });
  assert.deepEqual(await run("none"), { kind: "unreadable" });
  assert.ok(!existsSync(join(folder, "hang")), "nothing is written afterwards");
});

test(
  "a decoder over the limit of processor time or memory is killed, and its upload is too costly",
  { skip: LINUX },
  async () => {
    for (const [command, options] of [
      ["spin", { stepLimits: CHEAP }],
      ["swell", { memoryLimitBytes: 300 * 2 ** 20 }],
    ] as const) {
      const { run } = await obedient(options);
      assert.deepEqual(await run(command), { kind: "too_costly" }, command);
      assert.deepEqual(await run("none"), { kind: "unreadable" }, command);
    }
  },
);

test("a decoder that keeps much memory is replaced after its upload", async () => {
  const { run, got } = await obedient();
  for (const command of ["keep", "none"]) assert.deepEqual(await run(command), { kind: "unreadable" });
  const [first, second] = got().map((line) => line.split(" ")[0]);
  assert.notEqual(first, second);
});

test("a decoder without an upload for a time is ended, and the next upload starts another", async () => {
  const { run, got } = await obedient({ idleMsMax: 50 });
  await run("none");
  const pid = Number(got()[0]!.split(" ")[0]);
  for (const deadline = Date.now() + 60_000; isRunning(pid); await sleep(5))
    assert.ok(Date.now() < deadline, "the process was not ended within a minute");
  assert.deepEqual(await run("none"), { kind: "unreadable" });
  assert.equal(new Set(got().map((line) => line.split(" ")[0])).size, 2);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("an application with fifty uploads waiting leaves the next turn to another", async () => {
  const { run, got } = await obedient();
  const waiting = Array.from({ length: 50 }, (_, i) => run(`none-a${i}`));
  await Promise.all([...waiting, run("none-b", { applicationId: "b", session: null })]);
  const order = got().map((line) => line.split("-")[1]);
  // Uploads are written to files first, so a few may wait before the last one does. Without turns it would be the last.
  assert.ok(order.indexOf("b") <= 3, order.join(" "));
  assert.equal(order.length, 51);
});

test("of one session one upload is in progress at a time, though another process is idle", async () => {
  const { run, folder } = await obedient({ processes: 2 });
  const session = { applicationId: "a", session: "s" };
  const first = run("wait", session);
  // Each upload is written to a file before it takes its turn.
  for (const log = join(folder, "log"); !existsSync(log);) await sleep(1);
  const queued = run("none", session);
  assert.deepEqual(await run("none-other"), { kind: "unreadable" });
  assert.equal(await Promise.race([queued, sleep(100, "waits")]), "waits");
  writeFileSync(join(folder, "release"), "");
  assert.deepEqual(await Promise.all([first, queued]), [{ kind: "unreadable" }, { kind: "unreadable" }]);
});

test("an upload that finds too many waiting is refused at once, and one that waits too long then", async () => {
  const { run, folder } = await obedient({
    waitingLimits: { all: 3, ofApplication: 2, ofSession: 1 },
    waitMsMax: 2_000,
  });
  const busy = { kind: "busy" };
  void run("hang").catch(() => undefined);
  const log = join(folder, "log");
  while (!existsSync(log) || !readFileSync(log, "utf8").includes(" ")) await sleep(10);
  const session = { applicationId: "b", session: "s" };
  const waiting = [run("none"), run("none"), run("none", session)];
  // Each upload is written to a file before it waits.
  await sleep(500);
  assert.deepEqual(await run("none"), busy, "of the application");
  assert.deepEqual(await run("none", { applicationId: "c", session: null }), busy, "of all");
  assert.deepEqual(await Promise.all(waiting), [busy, busy, busy]);
  void run("none", session);
  assert.deepEqual(await run("none", session), busy, "of the session");
});

test("closed, the examiner leaves no process, and uploads in progress and waiting are late", async () => {
  const options = await obedient();
  const hanging = options.run("hang");
  const log = join(options.folder, "log");
  while (!existsSync(log) || !readFileSync(log, "utf8").includes(" ")) await sleep(10);
  const outcomes = [hanging, options.run("none")];
  const pid = Number(options.got()[0]!.split(" ")[0]);
  await examiners.at(-1)!.close();
  assert.deepEqual(await Promise.all(outcomes), [{ kind: "late" }, { kind: "late" }]);
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
  assert.deepEqual(await options.run("none"), { kind: "late" });
});

test(
  "processes that decode or read images get no setting, secret, socket or file of the service",
  { skip: LINUX },
  async () => {
    const listening = createServer().listen(0, "127.0.0.1");
    after(() => listening.close());
    process.env["DATABASE_URL"] = "postgres://user:secret@127.0.0.1/x";
    after(() => delete process.env["DATABASE_URL"]);
    const before = new Set(childrenOf(process.pid));
    await examiner().examine(upload, join(dir, "kept.jpg"), LIMITS, API);
    const ocr = createOcr({ processes: 1, ...keptModels() });
    await ocr.read({ path: upload });
    const own = new Set(descriptorsOf(process.pid));
    const children = childrenOf(process.pid).filter((pid) => !before.has(pid));
    assert.equal(children.length, 2);
    const allowed =
      /^(NODE_COMPILE_CACHE|MALLOC_ARENA_MAX|GLIBC_TUNABLES|NODE_CHANNEL_\w+|NODE_V8_COVERAGE|PWD|OLDPWD|SHLVL|_)=/;
    for (const pid of children) {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").filter(Boolean);
      assert.deepEqual(
        environment.filter((entry) => !allowed.test(entry)),
        [],
      );
      const shared = descriptorsOf(pid).filter(
        (target) => /^(socket|anon_inode):\[\d+\]$|^\//.test(target) && own.has(target),
      );
      const [standardError] = [readlinkSync("/proc/self/fd/2")];
      assert.deepEqual(
        shared.filter((target) => target !== "/dev/null" && target !== standardError),
        [],
      );
      assert.match(readFileSync(`/proc/${pid}/limits`, "latin1"), /Max data size +\d{9,}/);
      const niceness = Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ")[16]);
      assert.ok(niceness > 0);
    }
    await ocr.close();
  },
);

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").trim().split(" ").filter(Boolean).map(Number),
  );
}

/** What the open file descriptors of a process refer to. */
function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}
