import { createHmac, timingSafeEqual } from "node:crypto";

/** How long a link to a stored image is valid. */
const BLOB_LINK_SECONDS = 300;

/** The key of all links, derived from the installation's (32 random bytes), so that it opens nothing else. */
export function blobLinkKey(installationKey: Uint8Array): Buffer {
  return createHmac("sha256", installationKey).update("blob-link").digest();
}

/** A link to the image under `imageKey` that whoever has it may follow until it expires. */
export function blobLink(
  { baseUrl, linkKey }: { baseUrl: string; linkKey: Uint8Array },
  imageKey: string,
  now: Date,
): string {
  const expires = Math.floor(now.getTime() / 1000) + BLOB_LINK_SECONDS;
  return `${baseUrl}/files/${imageKey}?expires=${expires}&signature=${sign(linkKey, imageKey, expires)}`;
}

/** Whether a link was made by us and still holds. */
export function isBlobLinkValid(
  linkKey: Uint8Array,
  imageKey: string,
  query: { expires: string; signature: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(query.expires)) return false;
  const expected = Buffer.from(sign(linkKey, imageKey, Number(query.expires)));
  const given = Buffer.from(query.signature);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && Number(query.expires) * 1000 > now.getTime();
}

function sign(linkKey: Uint8Array, imageKey: string, expires: number): string {
  return createHmac("sha256", linkKey).update(`${imageKey}\n${expires}`).digest("base64url");
}
