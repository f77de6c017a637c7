import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ViewedPicture } from "./features.ts";
import { createLoader } from "./loaded.ts";

const dir = await mkdtemp(join(tmpdir(), "rewards-loaded-"));
after(() => rm(dir, { recursive: true }));

async function viewed(name: string, textHeight = 20): Promise<ViewedPicture> {
  const path = join(dir, name);
  await writeFile(path, "");
  return { path, width: 10, height: 10, rotation: 0, textHeight };
}

/** A loader of pictures of ten bytes, the names of those that it loaded, and its clock. */
function loader(bytesMax: number) {
  const names: string[] = [];
  const clock = { ms: 0 };
  const load = createLoader(
    async ({ path, textHeight }) => {
      names.push(`${path.slice(dir.length + 1)} ${textHeight}`);
      return { data: new Uint8Array(10), width: 5, height: 2, scale: 1 };
    },
    bytesMax,
    () => clock.ms,
  );
  return { load, names, clock };
}

test("what was loaded last is kept, up to a number of bytes, and by the size of its print", async () => {
  const { load, names } = loader(20);
  const [a, b, c] = [await viewed("a"), await viewed("b"), await viewed("c")];
  for (const picture of [a, b, a, c, a]) await load(picture);
  assert.deepEqual(names, ["a 20", "b 20", "c 20"]);
  await load(b);
  await load({ ...b, textHeight: 30 });
  assert.deepEqual(names.slice(3), ["b 20", "b 30"]);
  assert.equal(await load(b), await load(b));
});

test("a picture is loaded again when its file is gone: its user may have been erased", async () => {
  const { load, names } = loader(20);
  const picture = await viewed("erased");
  await load(picture);
  await rm(picture.path);
  await load(picture);
  assert.deepEqual(names, ["erased 20", "erased 20"]);
});

test("a picture larger than all that may be kept is loaded each time", async () => {
  const { load, names } = loader(9);
  const picture = await viewed("large");
  await load(picture);
  await load(picture);
  assert.equal(names.length, 2);
});

test("a picture that was not used for a minute is not kept", async () => {
  const { load, names, clock } = loader(40);
  const [used, unused] = [await viewed("used"), await viewed("unused")];
  await load(unused);
  for (const ms of [0, 40_000, 80_000]) {
    clock.ms = ms;
    await load(used);
  }
  await load(unused);
  assert.deepEqual(names, ["unused 20", "used 20", "unused 20"]);
});
