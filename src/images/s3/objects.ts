import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import type { S3Client } from "@aws-sdk/client-s3";
import { digestOf } from "../../digest.ts";
import { isFileKey, storageError } from "../../files.ts";
import type { FileKey } from "../../files.ts";
import { StorageUnavailable } from "../../storage-failures.ts";
import type { CallKind, Calls } from "./calls.ts";
import { DamagedImage, isMissing } from "./failure.ts";
import type { S3Settings } from "./settings.ts";

/** More than the pixels of the largest stored image without compression (4,400 × 4,400 in three bytes). */
const BYTES_MAX = 64 * 1024 * 1024;
const PAGE = 1_000;
export const IMAGE_TYPE = "image/jpeg";
/** As for the links of the service: nobody on the way keeps a picture. */
export const CACHE_CONTROL = "private, no-store";

/** The objects of images, by key without the prefix. */
export interface Objects {
  /** Stores the bytes of a file. */
  put(key: FileKey, path: string): Promise<void>;
  head(key: FileKey, kind: CallKind): Promise<boolean>;
  /** Writes the image to a file. False: there is no such image. */
  download(key: FileKey, path: string): Promise<boolean>;
  remove(key: FileKey): Promise<void>;
  keysIn(folder: string): AsyncIterable<FileKey[]>;
}

export function createObjects(client: S3Client, calls: Calls, { bucket, prefix }: S3Settings): Objects {
  const of = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    put: async (key: FileKey, path: string): Promise<void> => {
      const { bytes, sha256 } = await digestOf(createReadStream(path));
      await calls.make("put", "transfer", async (abortSignal) => {
        const body = createReadStream(path);
        try {
          // The SDK does not listen for errors of what it sends.
          const unreadable = new Promise<never>((_, reject) => body.once("error", reject));
          await Promise.race([client.send(putCommand(of(key), { body, bytes, sha256 }), { abortSignal }), unreadable]);
        } finally {
          body.destroy();
        }
      });
    },
    head: (key: FileKey, kind: CallKind): Promise<boolean> =>
      orMissing(
        false,
        calls.make("head", kind, async (abortSignal) => {
          await client.send(new HeadObjectCommand(of(key)), { abortSignal });
          return true;
        }),
      ),
    download: (key: FileKey, path: string): Promise<boolean> => {
      let damaged: DamagedImage | null = null;
      return orMissing(
        false,
        calls.make("get", "transfer", async (signal) => {
          try {
            const { Body, Metadata } = await client.send(new GetObjectCommand(of(key)), { abortSignal: signal });
            await write(Body as Readable, path, Metadata?.["sha256"], signal);
            return true;
          } catch (error) {
            if (error instanceof DamagedImage) damaged = error;
            // Swift takes a damaged object away when it has sent it: a repeated attempt finds none.
            throw damaged !== null && isMissing(error) ? damaged : error;
          }
        }),
      );
    },
    remove: async (key: FileKey): Promise<void> => {
      await calls.make("delete", "small", (abortSignal) =>
        client.send(new DeleteObjectCommand(of(key)), { abortSignal }),
      );
    },
    async *keysIn(folder: string): AsyncIterable<FileKey[]> {
      let after: string | undefined;
      do {
        const page = { Bucket: bucket, Prefix: `${prefix}${folder}/`, MaxKeys: PAGE, ContinuationToken: after };
        const { Contents = [], NextContinuationToken } = await calls.make("list", "small", (abortSignal) =>
          client.send(new ListObjectsV2Command(page), { abortSignal }),
        );
        const keys = Contents.map(({ Key = "" }) => Key.slice(prefix.length)).filter(isFileKey);
        if (keys.length > 0) yield keys;
        after = NextContinuationToken;
      } while (after !== undefined);
    },
  };
}

function putCommand(
  object: { Bucket: string; Key: string },
  { body, bytes, sha256 }: { body: Readable; bytes: number; sha256: string },
): PutObjectCommand {
  const about = { ContentType: IMAGE_TYPE, CacheControl: CACHE_CONTROL, Metadata: { sha256 } };
  const command = new PutObjectCommand({ ...object, ...about, Body: body, ContentLength: bytes });
  // S3 compares it with what arrives. The SDK would sign a stream without it.
  command.middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers["x-amz-content-sha256"] = sha256;
      return next(args);
    },
    { step: "build", name: "bodyHash" },
  );
  return command;
}

async function orMissing<Result>(missing: Result, made: Promise<Result>): Promise<Result> {
  try {
    return await made;
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

/** Writes at most BYTES_MAX bytes. Throws if they are not those whose hash was stored with them. */
async function write(body: Readable, path: string, sha256: string | undefined, signal: AbortSignal): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new DamagedImage();
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(body, measured, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    // A full disk here is no error of the image, which is read when there is room again.
    throw storageError(error) === error ? error : new StorageUnavailable("the disk for temporary files is full");
  }
  if (sha256 !== undefined && hash.digest("hex") !== sha256) throw new DamagedImage();
}
