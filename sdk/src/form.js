/** @import { ReceiptImage } from "./sdk.d.ts" */

/** The fields of a form with images: several photos of one receipt may be given as a list. */
const IMAGE_FIELD = "receiptImage";
const IMAGE_FIELDS = /^receiptImage\d?$/;

/**
 * Encodes a multipart form. The bytes are created once, with one boundary, so that every attempt sends the same.
 * @param {Readonly<Record<string, unknown>>} fields
 * @returns {Promise<{ body: Uint8Array<ArrayBuffer>, contentType: string }>}
 */
export async function multipart(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === IMAGE_FIELD && Array.isArray(value)) {
      for (const [i, image] of value.entries())
        form.set(i === 0 ? name : `${name}${i + 1}`, await imageBlob(image), "receipt");
    } else if (IMAGE_FIELDS.test(name)) form.set(name, await imageBlob(/** @type {ReceiptImage} */ (value)), "receipt");
    else form.set(name, value instanceof Date ? value.toISOString() : `${/** @type {string | number} */ (value)}`);
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "";
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType };
}

/**
 * Reads a whole image: all of a form have 10 MiB at most, and every attempt sends the same bytes.
 * @param {ReceiptImage} image
 * @returns {Promise<Blob>}
 */
async function imageBlob(image) {
  if (image instanceof Blob) return image;
  if (image instanceof ArrayBuffer || ArrayBuffer.isView(image)) return new Blob([/** @type {BlobPart} */ (image)]);
  if (image instanceof ReadableStream) return new Response(image).blob();
  if (Symbol.asyncIterator in image) {
    const chunks = [];
    for await (const chunk of image) chunks.push(new Uint8Array(chunk));
    return new Blob(chunks);
  }
  // No import: a bundler for browsers would try to resolve it.
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!fs) throw new TypeError("a receiptImage with a path needs Node; pass bytes, a Blob or a stream");
  return new Blob([await fs.readFile(image.path)]);
}
