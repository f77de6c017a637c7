import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { StorageFull } from "../src/files.ts";
import { examineImage } from "../src/images/worker/examination.ts";
import { createImageExaminer } from "../src/images/worker/examiner.ts";
import type { ImageExaminer } from "../src/images/worker/examiner.ts";

const LIMITS = { pixelsMax: 50_000_000, longSideMaxPx: 4_000 };
const dir = await mkdtemp(join(tmpdir(), "rewards-image-examiner-"));
const examiners: ImageExaminer[] = [];
after(async () => {
  await Promise.all(examiners.map((examiner) => examiner.close()));
  await rm(dir, { recursive: true });
});

const upload = join(dir, "upload");
await sharp({
  create: {
    width: 300,
    height: 280,
    channels: 3,
    background: "red",
    noise: { type: "gaussian", mean: 128, sigma: 30 },
  },
})
  .jpeg({ quality: 80 })
  .toFile(upload);

function examiner(program?: URL): ImageExaminer {
  examiners.push(createImageExaminer(program));
  return examiners.at(-1)!;
}

async function examinerRunning(name: string, program: string): Promise<ImageExaminer> {
  const file = join(dir, `${name}.mjs`);
  await writeFile(file, `import { parentPort } from "node:worker_threads"; ${program}`);
  return examiner(pathToFileURL(file));
}

test("the thread examines uploads like the function itself, several at once and one that is no picture among them", async () => {
  const [examine, junk] = [examiner().examine, join(dir, "junk")];
  await writeFile(junk, "MILK 1.45");
  const uploads = [upload, junk, upload, upload];
  const found = await Promise.all(uploads.map((path, i) => examine(path, join(dir, `kept${i}.jpg`), LIMITS)));
  const expected = await examineImage(upload, join(dir, "kept.jpg"), LIMITS);
  assert.ok(expected.kind === "ok" && expected.traces.moirePeak > 0);
  assert.deepEqual(found, [expected, { kind: "not_an_image" }, expected, expected]);
});

test("an upload that isn't there is rejected, and the next one examined", async () => {
  const { examine } = examiner();
  await assert.rejects(examine(join(dir, "nothing"), join(dir, "kept.jpg"), LIMITS), /ENOENT/);
  assert.equal((await examine(upload, join(dir, "kept.jpg"), LIMITS)).kind, "ok");
});

test("a full disk is reported as StorageFull", async () => {
  const { examine } = await examinerRunning(
    "full",
    `parentPort.on("message", ({ id }) => parentPort.postMessage({ kind: "storage_full", id }));`,
  );
  await assert.rejects(examine(upload, join(dir, "kept.jpg"), LIMITS), StorageFull);
});

test("a thread that ends rejects the uploads in progress, not the next one", async () => {
  const { examine } = await examinerRunning(
    "fragile",
    `parentPort.on("message", ({ id, inputPath }) => {
       if (inputPath === "end") process.exit(3);
       if (inputPath === "throw") throw new Error("broken");
       if (inputPath !== "wait") parentPort.postMessage({ kind: "examined", id, examined: { kind: "unreadable" } });
     });`,
  );
  for (const end of ["end", "throw"]) {
    const outcomes = await Promise.allSettled(["wait", end].map((path) => examine(path, "", LIMITS)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.deepEqual(await examine("next", "", LIMITS), { kind: "unreadable" });
  }
});
