import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { IMAGES_FOLDER, openImages } from "../images/open-images.ts";
import type { Images } from "../images/open-images.ts";
import { installationKey } from "../installation.store.ts";
import { NO_METERS } from "../meters.ts";
import type { Database } from "../postgres/postgres.ts";
import { noFiles } from "./command.ts";

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Opens the stores of images for a command, which closes them. */
export async function openImagesOf(database: Database, config: Pick<Config, "dataDir" | "images">): Promise<Images> {
  return openImages({ config, installationKey: await installationKey(database), log: SILENT, meters: NO_METERS });
}

/**
 * Refuses where the folder of images is missing though there are images and no bucket, so that none is left behind or
 * out.
 */
export function requireImages({ dataDir, images }: Config, areThere: boolean): void {
  const dir = resolve(join(dataDir, IMAGES_FOLDER));
  if (areThere && images.s3 === null && !existsSync(dir)) throw noFiles(dir);
}
