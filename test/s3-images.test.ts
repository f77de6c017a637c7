import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createFiles, fileKey } from "../src/files.ts";
import { uuidv7 } from "../src/ids.ts";
import { openImages } from "../src/images/open-images.ts";
import { readEnv, toConfig } from "../src/config.ts";
import { installationKey } from "../src/installation.store.ts";
import { NO_METERS } from "../src/meters.ts";
import { sweepImages } from "../src/receipts/sweep-images.task.ts";
import { StorageMisconfigured } from "../src/storage-failures.ts";
import { sweepErased } from "../src/users/erase.task.ts";
import { runCommand } from "./support/commands.ts";
import { groceriesOf } from "./support/drawn-receipts.ts";
import { formFor, pageOf, picture } from "./support/groceries.ts";
import { startS3 } from "./support/s3-server.ts";
import type { S3Server } from "./support/s3-server.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, ServiceOptions, TestService } from "./support/service.ts";
import { acceptedReceipt, acceptedSample, statusUntil, uploadReceipt } from "./support/uploads.ts";

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const DAY_MS = 86_400_000;

interface Status {
  readonly status: string;
  readonly receiptStatusDoc: {
    readonly uploadStateData: { readonly blobUrl: string | null; readonly blobName: string };
  };
}

let s3: S3Server;
let service: TestService | null = null;
before(async () => {
  s3 = await startS3();
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) process.env[name] = s3.settings[name];
});
afterEach(async () => {
  s3.behave("serves");
  await service?.close();
  service = null;
});
after(() => s3.stop());

let reads = 0;
/** Reads every stored picture as another purchase, and checks that there is one. */
const ocr: ServiceOptions["ocr"] = {
  read: async (image) => {
    assert.ok("path" in image && readFileSync(image.path).length > 0);
    return pageOf(groceriesOf(++reads).rows);
  },
  close: async () => {},
};

/** Starts a service with a prefix of its own. */
async function start(env: Record<string, string> = {}, options: ServiceOptions = {}): Promise<TestService> {
  const prefix = { IMAGES_S3_PREFIX: `p${randomBytes(6).toString("hex")}` };
  service = await startService({ ocr, ...options, env: { ...s3.settings, ...prefix, ...env } });
  return service;
}

const settingsOf = ({ app: _, dataDir }: TestService, env: Record<string, string>) => ({
  ...s3.settings,
  DATA_DIR: dataDir,
  ...env,
});

const imagesIn = (prefix: string) => s3.objects().filter((name) => name.startsWith(`${prefix}/receipts/`));
const filesIn = (dataDir: string) =>
  readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jpg"));
const temporaryIn = (dataDir: string) => readdirSync(join(dataDir, "files/tmp"));

test("a receipt is uploaded, read, shown by its link, and erased: its image is in the bucket, and then nowhere", async () => {
  const { dataDir } = await start({ IMAGES_S3_PREFIX: "whole" }, { ocr: undefined });
  const client = await service!.newClient({ isSandbox: true });
  const userId = await client.enrol();
  const id = await acceptedSample(service!, client, "completed", formFor(userId));
  const status = await statusUntil<Status>(client, id, (found) => found.status === "Completed");
  const { blobUrl, blobName } = status.receiptStatusDoc.uploadStateData;
  assert.deepEqual(imagesIn("whole"), [`whole/${blobName}`]);
  assert.deepEqual([filesIn(dataDir), temporaryIn(dataDir)], [[], []], "nothing is left on this machine");
  assert.ok(blobUrl!.startsWith(`${s3.endpoint}/${s3.bucket}/whole/`));
  assert.equal(new URL(blobUrl!).searchParams.get("X-Amz-Expires"), "300");
  const shown = await fetch(blobUrl!);
  assert.deepEqual([shown.status, shown.headers.get("content-type")], [200, "image/jpeg"]);
  assert.equal(shown.headers.get("cache-control"), "private, no-store");
  assert.deepEqual([...new Uint8Array(await shown.arrayBuffer()).subarray(0, 3)], [0xff, 0xd8, 0xff]);

  assert.equal((await client.call("DELETE", `/users/${userId}`)).statusCode, 204);
  assert.deepEqual(imagesIn("whole"), []);
  assert.equal((await fetch(blobUrl!)).status, 404, "a link from before opens nothing");
});
