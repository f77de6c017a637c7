import sharp from "sharp";

const GAP_PX = 12;

/** Puts pictures beside each other, each on a tile of the same size, and writes them to `path`. */
export async function contactSheet(
  files: readonly string[],
  path: string,
  { columns, tile }: { columns: number; tile: { readonly width: number; readonly height: number } },
): Promise<void> {
  const tiles = await Promise.all(
    files.map((file) =>
      sharp(file)
        .resize({ ...tile, fit: "contain", position: "top", background: "#9a9a9a" })
        .toBuffer(),
    ),
  );
  const rows = Math.max(1, Math.ceil(tiles.length / columns));
  const [width, height] = [columns * (tile.width + GAP_PX) + GAP_PX, rows * (tile.height + GAP_PX) + GAP_PX];
  await sharp({ create: { width, height, channels: 3, background: "#777" } })
    .composite(
      tiles.map((input, i) => ({
        input,
        left: GAP_PX + (i % columns) * (tile.width + GAP_PX),
        top: GAP_PX + Math.floor(i / columns) * (tile.height + GAP_PX),
      })),
    )
    .png()
    .toFile(path);
}
