// Turns a photo's file into the bytes that are sent. The browser applies the EXIF rotation; people rotate by quarters.

/**
 * Long side of the sent picture, in pixels, and quality of its JPEG; docs/pages.md has the measurement. A file of at
 * most AS_IS_BYTES_MAX is sent unchanged, since encoding a small picture again only blurs it.
 */
const LONG_SIDE_MAX = 2000;
const QUALITY = 0.8;
const AS_IS_BYTES_MAX = 600_000;
/** First bytes of a JPEG and of a PNG. A file's name and type may be those of another format. */
const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
];

/** Enough for the sharpest screens, in a column of 33 rem. */
const PREVIEW_LONG_SIDE_MAX = 1200;
/** Long side of the copy that is searched for flaws: print of 20 px in a photo of 4,000 px is 5 px there. */
const SAMPLE_LONG_SIDE = 1000;

/** Decodes a file; null if the browser cannot. Sizes are in pixels, upright. */
export async function openPhoto(file) {
  const image = new Image();
  const url = URL.createObjectURL(file);
  image.src = url;
  try {
    await image.decode();
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return width > 0 && height > 0 ? { image, width, height } : null;
}

/** Draws the photo as it will be sent. */
export function show(photo, canvas) {
  draw(photo, canvas, PREVIEW_LONG_SIDE_MAX, photo.turns);
}

/** Returns the pixels of a small copy, not rotated. */
export function pixelsOf(photo) {
  const canvas = document.createElement("canvas");
  draw(photo, canvas, SAMPLE_LONG_SIDE, 0);
  return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
}

/** Returns the file to send: the original if it is a small, upright JPEG or PNG, else a JPEG, scaled down. */
export async function toSend(photo) {
  const { file, turns, width, height } = photo;
  const isSmall = file.size <= AS_IS_BYTES_MAX && Math.max(width, height) <= LONG_SIDE_MAX;
  if (isSmall && turns === 0 && (await isTaken(file))) return file;
  const canvas = document.createElement("canvas");
  draw(photo, canvas, LONG_SIDE_MAX, turns);
  const jpeg = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  // An old phone may not have the memory for the canvas: then the service scales the original.
  return jpeg ?? file;
}

/** Whether the service takes the format of a file. */
async function isTaken(file) {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return SIGNATURES.some((signature) => signature.every((byte, i) => head[i] === byte));
}

function draw({ image, width, height }, canvas, longSideMax, turns) {
  const scale = Math.min(1, longSideMax / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  [canvas.width, canvas.height] = turns % 2 === 0 ? [w, h] : [h, w];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(image, -w / 2, -h / 2, w, h);
}
