import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { IMAGES_FOLDER, openImages } from "../images/open-images.ts";
import type { Images } from "../images/open-images.ts";
import { installationKey } from "../installation.store.ts";
import { NO_LOG } from "../log.ts";
import { NO_METERS } from "../meters.ts";
import type { Database } from "../postgres/postgres.ts";
import { noFiles } from "./command.ts";

/** Runs `work` with the stores of images, and closes them. */
export async function withImages<Result>(
  { database, config }: { database: Database; config: Pick<Config, "dataDir" | "images"> },
  work: (images: Images) => Promise<Result>,
): Promise<Result> {
  const key = await installationKey(database);
  const images = await openImages({ config, installationKey: key, log: NO_LOG, meters: NO_METERS });
  try {
    return await work(images);
  } finally {
    images.close();
  }
}

/**
 * Refuses where the folder of images is missing though there are images and no bucket, so that none is left behind or
 * out.
 */
export function requireImages({ dataDir, images }: Config, areThere: boolean): void {
  const dir = resolve(join(dataDir, IMAGES_FOLDER));
  if (areThere && images.s3 === null && !existsSync(dir)) throw noFiles(dir);
}
