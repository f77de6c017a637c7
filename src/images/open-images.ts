import { createHmac } from "node:crypto";
import { join } from "node:path";
import { createFiles } from "../files.ts";
import type { Files, FolderFiles } from "../files.ts";
import type { Log } from "../log.ts";
import type { Meters } from "../meters.ts";
import { StorageMisconfigured } from "../storage-failures.ts";
import type { S3Settings } from "./s3/settings.ts";
import type { S3Store } from "./s3/store.ts";
import { inTwoPlaces } from "./two-places.ts";

/** Where images are stored. */
export interface ImageSettings {
  /** Of new ones. */
  readonly first: "folder" | "s3";
  /** Null: there is no bucket. */
  readonly s3: S3Settings | null;
}

export interface ImageDeps {
  readonly config: { readonly dataDir: string; readonly images: ImageSettings };
  readonly installationKey: Uint8Array;
  readonly log: Log;
  readonly meters: Meters;
}

/** The opened stores of images. `files` is what the service uses: the folder alone, or both. */
export interface Images {
  readonly files: Files;
  readonly folder: FolderFiles;
  readonly bucket: S3Store | null;
  close(): void;
}

/** Folder of the images and of uploads on their way, below DATA_DIR. */
export const IMAGES_FOLDER = "files";

/** Opens the stores by the settings. What speaks S3 is loaded only if there is a bucket. */
export async function openImages({ config, installationKey, log, meters }: ImageDeps): Promise<Images> {
  const { first, s3: settings } = config.images;
  const folder = createFiles({ dir: join(config.dataDir, IMAGES_FOLDER) });
  if (settings === null) return { files: folder, folder, bucket: null, close: () => {} };
  const { createS3Store } = await import("./s3/store.ts");
  const owner = createHmac("sha256", installationKey).update("owner of images").digest("hex");
  const bucket = createS3Store({ settings, temporary: folder, owner, log, meters });
  const { receive, temporaryPath, sweepTemporary } = folder;
  const files = { receive, temporaryPath, sweepTemporary, ...inTwoPlaces(folder, bucket, first) };
  return { files, folder, bucket, close: () => bucket.close() };
}

/** Checks the bucket, if there is one. Throws StorageMisconfigured; a bucket that is away is only logged. */
export async function checkImages({ bucket }: Pick<Images, "bucket">, log: Log): Promise<void> {
  try {
    await bucket?.check();
  } catch (error) {
    if (error instanceof StorageMisconfigured) throw error;
    log.error({ reason: (error as Error).message }, "the store of images cannot be reached: uploads wait for it");
  }
}
