import assert from "node:assert/strict";
import { createHash, pbkdf2, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { StorageFull, createFiles, fileKey, storageError } from "../src/files.ts";

const dir = mkdtempSync(join(tmpdir(), "rewards-files-"));
after(() => rmSync(dir, { recursive: true }));
const files = createFiles({ dir });
const hold = promisify(pbkdf2);
const ID = "01998a3c-5f20-7a51-b1de-3d9a0c44e77f";

const temporaries = () => readdirSync(join(dir, "tmp"));
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function receivedPath(content: string): Promise<string> {
  const received = await files.receive(Readable.from([Buffer.from(content)]), { bytesMax: 1_000 });
  return received.kind === "ok" ? received.path : assert.fail(received.kind);
}

test("what is received is on disk as sent, with its length and hash", async () => {
  const chunks = [Buffer.from("one "), Buffer.alloc(100_000, "two"), Buffer.from(" three")];
  const whole = Buffer.concat(chunks);
  const received = await files.receive(Readable.from(chunks), { bytesMax: whole.length });
  assert.ok(received.kind === "ok");
  assert.deepEqual(await readFile(received.path), whole);
  assert.deepEqual([received.bytes, received.sha256], [whole.length, sha256(whole)]);
  rmSync(received.path);
});

test("one byte too many leaves no file, and the rest of the stream is read", async () => {
  const stream = new PassThrough();
  const response = files.receive(stream, { bytesMax: 10 });
  stream.write(Buffer.alloc(11));
  assert.deepEqual(await response, { kind: "too_large" });
  assert.deepEqual(temporaries(), []);
  for (let i = 0; i < 100; i++) stream.write(Buffer.alloc(10_000));
  stream.end();
  await new Promise((done) => stream.once("close", done));
  assert.equal(stream.readableLength, 0);
});

test("a stream that breaks off leaves nothing behind and says why", async () => {
  const breaking = Readable.from(
    (async function* () {
      yield Buffer.alloc(5_000);
      throw new Error("connection lost");
    })(),
  );
  await assert.rejects(files.receive(breaking, { bytesMax: 10_000 }), /connection lost/);
  const aborted = new PassThrough();
  const response = files.receive(aborted, { bytesMax: 10_000 });
  aborted.write(Buffer.alloc(5_000));
  aborted.destroy();
  await assert.rejects(response, { code: "ERR_STREAM_PREMATURE_CLOSE" });
  assert.deepEqual(temporaries(), []);
});

test("a stream that breaks off before its file is made leaves nothing behind either", async () => {
  for (let round = 0; round < 20; round++) {
    // They hold every thread that could open the file.
    const busy = Array.from({ length: 4 }, () => hold("password", "salt", 5_000, 64, "sha512"));
    const breaking = new PassThrough();
    const response = files.receive(breaking, { bytesMax: 10_000 });
    setImmediate(() => breaking.destroy(new Error("connection lost")));
    await assert.rejects(response, /connection lost/);
    await Promise.all(busy);
    assert.deepEqual(temporaries(), []);
  }
});

test("with any chunks and any limit a stream is stored whole or not at all", async () => {
  const chunk = fc.uint8Array({ minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 10 }), fc.nat(300), async (chunks, bytesMax) => {
      const whole = Buffer.concat(chunks);
      const received = await files.receive(Readable.from(chunks.map((part) => Buffer.from(part))), { bytesMax });
      assert.equal(received.kind, whole.length > bytesMax ? "too_large" : "ok");
      if (received.kind === "ok") {
        assert.equal(received.sha256, sha256(whole));
        rmSync(received.path);
      }
      assert.deepEqual(temporaries(), []);
    }),
    { numRuns: 50 },
  );
});

test("what is put under a key can be opened, is moved and not copied, and is gone once removed", async () => {
  const key = fileKey("receipts", ID);
  assert.equal(key, `receipts/7f/${ID}.jpg`);
  assert.equal(await files.open(key), null);
  await files.put(key, await receivedPath("picture"));
  assert.deepEqual(temporaries(), []);
  const opened = await files.open(key);
  assert.ok(opened);
  assert.equal((await buffer(opened)).toString(), "picture");
  assert.equal(files.pathOf(key), join(dir, "receipts", "7f", `${ID}.jpg`));
  await files.remove(key);
  await files.remove(key);
  assert.equal(await files.open(key), null);
});

test("putting twice under one key keeps the later", async () => {
  const key = fileKey("receipts", randomUUID());
  await files.put(key, await receivedPath("first"));
  await files.put(key, await receivedPath("second"));
  assert.equal(await readFile(files.pathOf(key), "utf8"), "second");
});

test("every key is below its folder", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      assert.ok(resolve(files.pathOf(fileKey("receipts", id))).startsWith(join(dir, "receipts") + sep));
    }),
  );
});

test("text that is no key never becomes a path", () => {
  const hostile = [
    "../../tmp/x",
    "/etc/passwd",
    "receipts/../../x.jpg",
    `receipts/7f/${ID}.jpg\n`,
    `receipts/7f/${ID}.jpg/..`,
    "",
  ];
  for (const key of hostile) assert.throws(() => files.pathOf(key), { code: "ERR_ASSERTION" });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath()), (text) => {
      assert.throws(() => files.pathOf(text));
      assert.throws(() => fileKey("receipts", text));
      assert.throws(() => fileKey(`${text}/`, ID));
    }),
  );
});

test("a sweep removes the temporary files older than asked and leaves the others", async () => {
  const old = files.temporaryPath();
  const fresh = files.temporaryPath();
  for (const path of [old, fresh]) writeFileSync(path, "left by a killed process");
  utimesSync(old, new Date("2026-10-24T09:00:00Z"), new Date("2026-10-24T09:00:00Z"));
  utimesSync(fresh, new Date("2026-10-24T11:00:00Z"), new Date("2026-10-24T11:00:00Z"));
  assert.equal(await files.sweepTemporary(new Date("2026-10-24T10:00:00Z")), 1);
  assert.deepEqual(
    temporaries().map((name) => join(dir, "tmp", name)),
    [fresh],
  );
  rmSync(fresh);
});

test("a full disk is an error of its own", { skip: process.platform !== "linux" && "needs /dev/full" }, async () => {
  const error: unknown = await writeFile("/dev/full", "x").catch((reason: unknown) => storageError(reason));
  assert.ok(error instanceof StorageFull);
  const other = new Error("another");
  assert.equal(storageError(other), other);
});
