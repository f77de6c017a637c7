import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import type { S3Client } from "@aws-sdk/client-s3";
import { StorageMisconfigured } from "../../storage-failures.ts";
import { repeated } from "./calls.ts";
import type { Patience } from "./calls.ts";
import { isMissing, setupFailure } from "./failure.ts";
import type { S3Settings } from "./settings.ts";

/** A bucket as an installation uses it. */
export interface Bucket {
  readonly client: S3Client;
  readonly settings: S3Settings;
  readonly owner: string;
  /** Of each call of the check. */
  readonly patience: Patience;
}

/** The object that names the installation whose images are below the prefix. */
const OWNER_OBJECT = "installation";
const OWNER_BYTES_MAX = 200;
/** An object that is never there: to remove it needs the right to. */
const NO_OBJECT = "no-image";

/** Lists at most one object. */
export function listOne({ client, settings }: Bucket, abortSignal: AbortSignal): Promise<unknown> {
  const { bucket: Bucket, prefix: Prefix } = settings;
  return client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal });
}

/** Makes the calls that the service needs. Throws StorageMisconfigured, or StorageUnavailable while S3 is away. */
export async function checkBucket(bucket: Bucket, owned: () => Promise<void>): Promise<void> {
  await step(bucket, "list objects", (signal) => listOne(bucket, signal));
  await owned();
  const { bucket: Bucket, prefix } = bucket.settings;
  await step(bucket, "delete objects", (abortSignal) =>
    bucket.client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${NO_OBJECT}` }), { abortSignal }),
  );
}

/**
 * Creates the check that the images below the prefix are those of this installation. The first one writes its name
 * there. A second one would remove the images of the first, since it has no receipts for them.
 */
export function createOwnership(bucket: Bucket): () => Promise<void> {
  let isOwned = false;
  return async () => {
    if (isOwned) return;
    const found = await readOwner(bucket);
    if (found === null) await writeOwner(bucket);
    // Two installations may have found none at once: the one that wrote last has it.
    const owner = found ?? (await readOwner(bucket));
    if (owner !== bucket.owner) throw ownedByAnother(bucket.settings);
    isOwned = true;
  };
}

function ownedByAnother({ bucket, prefix }: S3Settings): StorageMisconfigured {
  return new StorageMisconfigured(
    `The images cannot be stored in the bucket: below "${prefix}" in ${bucket} are those of another installation. Give this one an IMAGES_S3_PREFIX of its own.`,
  );
}

function ownerObject({ settings: { bucket, prefix } }: Bucket): { Bucket: string; Key: string } {
  return { Bucket: bucket, Key: `${prefix}${OWNER_OBJECT}` };
}

function readOwner(bucket: Bucket): Promise<string | null> {
  return step(bucket, "read objects", async (abortSignal) => {
    try {
      const { Body } = await bucket.client.send(new GetObjectCommand(ownerObject(bucket)), { abortSignal });
      return ((await Body?.transformToString()) ?? "").slice(0, OWNER_BYTES_MAX).trim();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  });
}

function writeOwner(bucket: Bucket): Promise<unknown> {
  const object = { ...ownerObject(bucket), Body: `${bucket.owner}\n`, ContentType: "text/plain" };
  return step(bucket, "write objects", (abortSignal) =>
    bucket.client.send(new PutObjectCommand(object), { abortSignal }),
  );
}

async function step<Result>(
  { settings, patience }: Bucket,
  doing: string,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await repeated(patience, call);
  } catch (error) {
    throw setupFailure(error, doing, settings);
  }
}
