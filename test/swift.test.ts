import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createFiles, fileKey } from "../src/files.ts";
import type { FileKey, FolderFiles } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import { createS3Store } from "../src/images/s3/store.ts";
import type { S3Store } from "../src/images/s3/store.ts";
import { NO_METERS } from "../src/meters.ts";
import { createSemaphore } from "../src/queue/semaphore.ts";
import { StorageMisconfigured, StorageUnavailable } from "../src/storage-failures.ts";
import { silent } from "./support/database.ts";
import { LISTED_MAX } from "./support/s3/swift-settings.ts";
import { NO_SWIFT, startSwift } from "./support/s3/swift.ts";
import type { Swift } from "./support/s3/swift.ts";

// What only a real S3 service has: servers that may be away one by one, and lists in parts. The other tests of
// images in a bucket run against it by `npm run test:swift`.

let swift: Swift;
let dir: string;
let folder: FolderFiles;
const opened: S3Store[] = [];
before(async () => {
  if (NO_SWIFT) return;
  swift = await startSwift();
  dir = mkdtempSync(join(tmpdir(), "rewards-swift-files-"));
  folder = createFiles({ dir });
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) process.env[name] = swift.settings[name];
});
after(async () => {
  if (NO_SWIFT) return;
  for (const store of opened) store.close();
  await swift.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A store that has not noticed yet that its bucket is away. */
function newStore(prefix: string): S3Store {
  const { bucket, endpoint } = swift;
  const settings = { bucket, endpoint, linkEndpoint: null, region: "us-east-1", prefix };
  const store = createS3Store({ settings, temporary: folder, owner: "us", log: silent, meters: NO_METERS });
  opened.push(store);
  return store;
}

const newKey = () => fileKey("receipts", uuidv7(Date.now(), randomBytes(10)));

async function stored(store: S3Store, bytes: Buffer, key = newKey()): Promise<FileKey> {
  const path = folder.temporaryPath();
  writeFileSync(path, bytes);
  await store.put(key, path);
  return key;
}

/** The bytes of an image; null: it is missing. */
async function bytesOf(store: S3Store, key: FileKey): Promise<Buffer | null> {
  await using image = await store.borrow(key);
  return existsSync(image.path) ? readFileSync(image.path) : null;
}

async function keysIn(store: S3Store): Promise<FileKey[]> {
  const keys: FileKey[] = [];
  for await (const some of store.keysIn("receipts")) keys.push(...some);
  return keys;
}

/** The result of a call, or that the store is away. Without its account server Swift says that there is no bucket. */
async function orAway<Result>(made: Promise<Result>): Promise<Result | "away"> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof StorageUnavailable || error instanceof StorageMisconfigured) return "away";
    throw error;
  }
}

test(
  "no image is missing, and none counts as stored, while one of the servers of Swift is away",
  { skip: NO_SWIFT },
  async () => {
    for (const part of ["object", "container", "account"] as const) {
      const prefix = `without-${part}/`;
      const bytes = randomBytes(50_000);
      const [kept, added] = [await stored(newStore(prefix), bytes), newKey()];
      await swift.without(part, async () => {
        assert.notEqual(await orAway(newStore(prefix).has(kept)), false, part);
        const read = await orAway(bytesOf(newStore(prefix), kept));
        assert.ok(read === "away" || bytes.equals(read!), part);
        assert.equal(await orAway(stored(newStore(prefix), bytes, added)), "away", part);
        assert.equal(await orAway(keysIn(newStore(prefix))), "away", part);
        assert.equal((await newStore(prefix).placeOf(kept, 300)).kind, "at", part);
      });
      assert.ok(bytes.equals((await bytesOf(newStore(prefix), kept))!), part);
      assert.deepEqual(await keysIn(newStore(prefix)), [kept], part);
      assert.equal(await newStore(prefix).has(added), false, part);
    }
  },
);

test(
  "a list of several parts has every image once, while those of the part before are removed",
  { skip: NO_SWIFT },
  async () => {
    const [store, other] = [newStore("many/"), newStore("many/else/")];
    const atOnce = createSemaphore(8);
    const bytes = randomBytes(100);
    const keys = await Promise.all(
      Array.from({ length: LISTED_MAX * 2 + 1 }, () => atOnce.run(() => stored(store, bytes))),
    );
    await stored(other, bytes);
    const [listed, sizes]: [FileKey[], number[]] = [[], []];
    for await (const part of store.keysIn("receipts")) {
      sizes.push(part.length);
      listed.push(...part);
      await Promise.all(part.map((key) => atOnce.run(() => store.remove(key))));
    }
    assert.deepEqual(listed.toSorted(), keys.toSorted());
    assert.deepEqual(sizes, [LISTED_MAX, LISTED_MAX, 1]);
    assert.deepEqual(await keysIn(store), []);
    assert.equal((await keysIn(other)).length, 1);
  },
);
