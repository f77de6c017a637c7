import { createReadStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { BorrowedFile, FileKey, FileStore, TemporaryFiles } from "../../files.ts";
import type { Log } from "../../log.ts";
import type { Meters } from "../../meters.ts";
import { WAITS, createCalls } from "./calls.ts";
import type { CallKind, Waits } from "./calls.ts";
import { CACHE_CONTROL, IMAGE_TYPE, createObjects } from "./objects.ts";
import type { Objects } from "./objects.ts";
import { createSeen } from "./seen.ts";
import type { S3Settings } from "./settings.ts";
import { checkBucket, createOwnership, listOne } from "./setup.ts";

/** Images in a bucket. */
export interface S3Store extends FileStore {
  /**
   * Checks that the bucket can be listed, written and deleted from, and that no other installation has its images
   * there. Throws StorageMisconfigured, or StorageUnavailable while S3 is away.
   */
  check(): Promise<void>;
  isReachable(): boolean;
  isAway(): boolean;
  close(): void;
}

export interface S3Deps {
  readonly settings: S3Settings;
  readonly temporary: Pick<TemporaryFiles, "temporaryPath">;
  /** Names this installation, without being a secret. */
  readonly owner: string;
  readonly log: Log;
  readonly meters: Meters;
  /** Others than the usual ones, for tests. */
  readonly waits?: Waits;
}

const CONNECT_MS = 2_000;
/** Connections of this process, and calls at once. */
const CONNECTIONS_MAX = 32;
/** Time between two questions of `isReachable`. */
const REACHED_MS = 5_000;
const SILENT = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Opens the store. Nothing is sent before the first call. Credentials are those of the SDK's usual chain. */
export function createS3Store(deps: S3Deps): S3Store {
  const { settings, log, meters, owner, waits = WAITS } = deps;
  const client = clientFor(settings, settings.endpoint);
  const linkClient = settings.linkEndpoint === null ? client : clientFor(settings, settings.linkEndpoint);
  const calls = createCalls({ log, meters, waits });
  const objects = createObjects(client, calls, settings);
  const seen = createSeen();
  const bucket = { client, settings, owner, patience: waits.check };
  const owned = createOwnership(bucket);

  const has = async (key: FileKey, kind: CallKind = "small"): Promise<boolean> => {
    const isThere = await objects.head(key, kind);
    if (isThere) seen.add(key);
    return isThere;
  };

  return {
    has,
    put: async (key, path) => {
      await objects.put(key, path);
      seen.add(key);
    },
    borrow: (key) => borrow(deps, objects, key),
    open: async (key) => {
      // A slow reader holds a file, not a connection to S3.
      const image = await borrow(deps, objects, key);
      if (!existsSync(image.path)) return null;
      return createReadStream(image.path).on("close", () => void image[Symbol.asyncDispose]());
    },
    placeOf: async (key, seconds) => {
      const isThere = seen.has(key) || (await has(key, "quick").catch(() => true));
      if (!isThere) return { kind: "missing" };
      // Without credentials no link can be signed. The service's own then waits for them.
      return linkTo(linkClient, settings, key, seconds).then(
        (url) => ({ kind: "at", url }),
        () => ({ kind: "here" }),
      );
    },
    remove: async (key) => {
      seen.remove(key);
      await objects.remove(key);
    },
    async *keysIn(folder) {
      // The caller may remove what it does not know: nothing of another installation.
      await owned();
      yield* objects.keysIn(folder);
    },
    check: () => checkBucket(bucket, owned),
    isAway: calls.isAway,
    isReachable: createReachability(() => calls.make("list", "quick", (signal) => listOne(bucket, signal))),
    close: () => {
      client.destroy();
      linkClient.destroy();
    },
  };
}

/** Returns whether S3 responded when it was last asked; asks again in the background. */
function createReachability(ask: () => Promise<unknown>): () => boolean {
  let [askedMs, isReachable] = [-Infinity, true];
  const askAgain = async (): Promise<void> => {
    askedMs = performance.now();
    isReachable = await ask().then(
      () => true,
      () => false,
    );
  };
  return () => {
    if (performance.now() - askedMs > REACHED_MS) void askAgain();
    return isReachable;
  };
}

function clientFor({ region }: S3Settings, endpoint: string | null): S3Client {
  const agent = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // Ours count attempts and their time together.
    maxAttempts: 1,
    // Other servers than AWS do not know them. The hash of the body is in the signature of an upload anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: agent, httpsAgent: agent, logger: SILENT },
    logger: SILENT,
  });
}

async function borrow({ temporary }: Pick<S3Deps, "temporary">, objects: Objects, key: FileKey): Promise<BorrowedFile> {
  const path = temporary.temporaryPath();
  const image = { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  try {
    await objects.download(key, path);
    return image;
  } catch (error) {
    await image[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns a link that anyone can open for some seconds. The signature covers what the response says of the image. */
function linkTo(client: S3Client, { bucket, prefix }: S3Settings, key: FileKey, seconds: number): Promise<string> {
  const response = { ResponseContentType: IMAGE_TYPE, ResponseCacheControl: CACHE_CONTROL };
  const command = new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${key}`, ...response });
  return getSignedUrl(client, command, { expiresIn: seconds });
}
