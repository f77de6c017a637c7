// opentype.js ships no types; what is used of it.
declare module "opentype.js/dist/opentype.mjs" {
  export type Path = { toPathData: (decimals?: number) => string };
  export type Glyph = { index: number; advanceWidth: number; getPath: (x: number, y: number, size: number) => Path };
  export type Font = { unitsPerEm: number; charToGlyph: (character: string) => Glyph };
  export function parse(buffer: ArrayBufferLike): Font;
}
