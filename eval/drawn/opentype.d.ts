// opentype.js ships no types; what is used of it.
declare module "opentype.js/dist/opentype.mjs" {
  export interface Path {
    toPathData: (decimals?: number) => string;
  }
  export interface Glyph {
    index: number;
    advanceWidth: number;
    getPath: (x: number, y: number, size: number) => Path;
  }
  export interface Font {
    unitsPerEm: number;
    charToGlyph: (character: string) => Glyph;
  }
  export function parse(buffer: ArrayBufferLike): Font;
}
