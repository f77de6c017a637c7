import { createHmac, timingSafeEqual } from "node:crypto";

/** Lifetime of a link to a stored image. */
export const BLOB_LINK_SECONDS = 300;

/** Derives the key of all links from the installation's key (32 random bytes). It is of no use for anything else. */
export function blobLinkKey(installationKey: Uint8Array): Buffer {
  return createHmac("sha256", installationKey).update("blob-link").digest();
}

/** Returns a signed link to the image under `imageKey`. Anyone who has it can open it until it expires. */
export function blobLink(
  { baseUrl, linkKey }: { baseUrl: string; linkKey: Uint8Array },
  imageKey: string,
  now: Date,
): string {
  const expires = Math.floor(now.getTime() / 1000) + BLOB_LINK_SECONDS;
  return `${baseUrl}/files/${imageKey}?expires=${expires}&signature=${sign(linkKey, imageKey, expires)}`;
}

/** Whether the signature of a link is right and it has not expired. */
export function isBlobLinkValid(
  linkKey: Uint8Array,
  imageKey: string,
  query: { expires: string; signature: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(query.expires)) return false;
  const expected = Buffer.from(sign(linkKey, imageKey, Number(query.expires)));
  const given = Buffer.from(query.signature);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && Number(query.expires) * 1000 > now.getTime();
}

function sign(linkKey: Uint8Array, imageKey: string, expires: number): string {
  return createHmac("sha256", linkKey).update(`${imageKey}\n${expires}`).digest("base64url");
}
