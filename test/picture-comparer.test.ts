import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { createPictureComparer } from "../src/images/compare/comparer.ts";
import type { ComparerOptions, PictureComparer } from "../src/images/compare/comparer.ts";
import { comparePictures } from "../src/images/compare/features.ts";
import type { ViewedPicture } from "../src/images/compare/features.ts";
import type { Quad } from "../src/images/compare/patch.ts";

const dir = await mkdtemp(join(tmpdir(), "rewards-picture-comparer-"));
const comparers: PictureComparer[] = [];
after(async () => {
  await Promise.all(comparers.map((comparer) => comparer.close()));
  await rm(dir, { recursive: true });
});

const LINUX = process.platform === "linux" ? false : "the system doesn't report what processes use";
const SAME = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
const place = (top: number): Quad => [
  { x: 20, y: top },
  { x: 250, y: top },
  { x: 250, y: top + 20 },
  { x: 20, y: top + 20 },
];
const PLACES = [place(10), place(100), place(200)];

async function pictureOf(name: string): Promise<ViewedPicture> {
  const path = join(dir, name);
  const grain = { type: "gaussian", mean: 128, sigma: 30 } as const;
  await sharp({ create: { width: 300, height: 280, channels: 3, background: "red", noise: grain } })
    .jpeg()
    .toFile(path);
  return { path, width: 300, height: 280, rotation: 0, textHeight: 20 };
}
const [from, to] = [await pictureOf("from"), await pictureOf("to")];

function comparer(options: ComparerOptions = {}): PictureComparer {
  comparers.push(createPictureComparer(options));
  return comparers.at(-1)!;
}

/** A program that obeys commands and compares nothing: the path of the first picture is the command. */
const OBEDIENT = `
  const held = [];
  const commands = {
    compare: () => process.send({ kind: "compared", places: [null, process.pid], rssBytes: 1 }),
    hang: () => {},
    spin: () => { for (;;); },
    swell: () => setInterval(() => held.push(Buffer.alloc(32 * 2 ** 20, 1)), 1),
    die: () => process.exit(3),
    crash: () => process.abort(),
    keep: () => process.send({ kind: "compared", places: [null, process.pid], rssBytes: 2 ** 40 }),
  };
  process.on("disconnect", () => process.exit(0));
  process.on("message", ({ from }) => commands[from.path]());`;
const program = pathToFileURL(join(dir, "obedient.mjs"));
await writeFile(program, OBEDIENT);

function obedient(options: ComparerOptions = {}) {
  const { compare, close } = comparer({ program, ...options });
  return { run: (path: string) => compare({ from: { ...from, path }, to, map: SAME, places: PLACES }), close };
}

test("stored pictures are compared in another process as by the function itself, several at once", async () => {
  const { compare } = comparer();
  const requests = [from, to, from].map((other) => ({ from, to: other, map: SAME, places: PLACES }));
  const compared = await Promise.all(requests.map(compare));
  const expected = await Promise.all(requests.map((it) => comparePictures(it.from, it.to, it.map, it.places)));
  assert.deepEqual(
    compared,
    expected.map((places) => ({ kind: "compared", places })),
  );
});

test("a picture that isn't there, or is none, fails by name, and the next ones are compared", async () => {
  const { compare } = comparer();
  const gif = join(dir, "gif");
  await sharp({ create: { width: 300, height: 280, channels: 3, background: "red" } })
    .gif()
    .toFile(gif);
  for (const path of [join(dir, "nothing"), gif, program.pathname]) {
    const { kind } = await compare({ from, to: { ...to, path }, map: SAME, places: PLACES });
    assert.equal(kind, "failed", path);
  }
  assert.equal((await compare({ from, to, map: SAME, places: PLACES })).kind, "compared");
});

test(
  "a comparison that hangs, or takes too much time or memory, is stopped, and the next one goes on",
  { skip: LINUX },
  async () => {
    for (const [command, limits] of [
      ["hang", { msMax: 5_000 }],
      ["spin", { cpuMsMax: 1_000 }],
      ["swell", { memoryLimitBytes: 256 * 2 ** 20 }],
      ["die", {}],
      ["crash", {}],
    ] as const) {
      const { run } = obedient(limits);
      assert.equal((await run(command)).kind, "stopped", command);
      assert.equal((await run("compare")).kind, "compared", `after ${command}`);
    }
  },
);

test("a process that keeps much memory, or has nothing to compare, is ended", async () => {
  const { run } = obedient({ idleMsMax: 50 });
  const pidOf = async (command: string) => {
    const compared = await run(command);
    return (compared as { places?: readonly unknown[] }).places![1] as number;
  };
  const first = await pidOf("keep");
  const second = await pidOf("compare");
  assert.notEqual(second, first);
  const isGone = (pid: number) => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  };
  while (!isGone(second)) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.notEqual(await pidOf("compare"), second);
});

test("closed, comparisons waiting and in progress end, and none begins", async () => {
  const { run, close } = obedient();
  const running = [run("hang"), run("compare")];
  await new Promise((resolve) => setTimeout(resolve, 100));
  await close();
  assert.deepEqual(
    (await Promise.all([...running, run("compare")])).map(({ kind }) => kind),
    ["closed", "closed", "closed"],
  );
});
