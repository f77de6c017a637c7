// The settings of where images are, of this cell or of another one. Pure.

import type { ImageSettings } from "./images/open-images.ts";
import type { S3Settings } from "./images/s3/settings.ts";
import { DEFAULT_SCHEMA } from "./postgres/cell.ts";
import type { Env } from "./settings.ts";
import { readAddress } from "./address-setting.ts";

export const IMAGE_SETTINGS = [
  "IMAGES_STORE",
  "IMAGES_S3_BUCKET",
  "IMAGES_S3_ENDPOINT",
  "IMAGES_S3_LINK_ENDPOINT",
  "IMAGES_S3_REGION",
  "IMAGES_S3_PREFIX",
] as const satisfies readonly (keyof Env)[];

/** A bucket's name as AWS and others allow it, without what would be another path or host. */
const BUCKET = /^[A-Za-z0-9][\w-]*(\.[\w-]+)*$/;
const PREFIX = /^[\w-]+[\w.-]*(\/[\w-]+[\w.-]*)*\/?$/;
const PREFIX_LENGTH_MAX = 200;

/** Reads where the cell of a schema has its images. Adds to `errors` what is wrong. */
export function readImages(
  env: Pick<Env, (typeof IMAGE_SETTINGS)[number]>,
  schema: string,
  errors: string[],
): ImageSettings {
  const { IMAGES_S3_BUCKET: bucket, IMAGES_S3_PREFIX: prefix, IMAGES_S3_REGION: region, IMAGES_STORE: store } = env;
  if (!["auto", "folder", "s3"].includes(store)) errors.push("IMAGES_STORE must be one of auto, folder, s3");
  const endpoint = readAddress(env.IMAGES_S3_ENDPOINT, "IMAGES_S3_ENDPOINT", errors);
  const linkEndpoint = readAddress(env.IMAGES_S3_LINK_ENDPOINT, "IMAGES_S3_LINK_ENDPOINT", errors);
  if (bucket === "") {
    if (store === "s3") errors.push("IMAGES_STORE=s3 needs an IMAGES_S3_BUCKET");
    for (const name of ["IMAGES_S3_ENDPOINT", "IMAGES_S3_LINK_ENDPOINT", "IMAGES_S3_PREFIX"] as const) {
      if (env[name] !== "") errors.push(`${name} needs an IMAGES_S3_BUCKET`);
    }
    return { first: "folder", s3: null };
  }
  if (!BUCKET.test(bucket)) errors.push("IMAGES_S3_BUCKET must be the name of a bucket, without an address");
  if (!/^[\w-]+$/.test(region)) errors.push("IMAGES_S3_REGION must be a region like eu-central-1");
  if (prefix !== "" && (!PREFIX.test(prefix) || prefix.length > PREFIX_LENGTH_MAX)) {
    errors.push("IMAGES_S3_PREFIX must be like rewards/north/: letters, digits, _, - and . between slashes");
  }
  // As with folders: those of another cell must not be below the same prefix.
  const folders = [prefix.replace(/\/$/, ""), schema === DEFAULT_SCHEMA ? "" : schema].filter(Boolean);
  const s3: S3Settings = { bucket, endpoint, linkEndpoint, region, prefix: folders.map((name) => `${name}/`).join("") };
  return { first: store === "folder" ? "folder" : "s3", s3 };
}
