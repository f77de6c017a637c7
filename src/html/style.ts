import { createHash } from "node:crypto";
import { accentIn } from "./colour.ts";
import type { Accent } from "./colour.ts";

/**
 * A stylesheet that stands in the page itself: with it the first answer is all that the first paint needs. The page's
 * policy names it by its hash, so that no other is applied.
 */
export interface StyleSheet {
  readonly css: string;
  /** As `style-src` writes it. */
  readonly source: string;
}

/** Makes a stylesheet of CSS as we write it (formatted, no string with braces or colons), without what only people read. */
export function styleSheet(css: string): StyleSheet {
  const lean = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s*([{};\n])\s*/g, "$1")
    .replaceAll(/\n/g, " ")
    .replaceAll(/([:,]) /g, "$1")
    .replaceAll(";}", "}");
  return { css: lean, source: `'sha256-${createHash("sha256").update(lean).digest("base64")}'` };
}

/** The tokens of an application's accent colour (`#rrggbb`) over those of pages.css, in both schemes. */
export function accentStyle(colour: string): StyleSheet {
  return styleSheet(
    `:root{${tokens(accentIn("light", colour))}}@media (prefers-color-scheme:dark){:root{${tokens(accentIn("dark", colour))}}}`,
  );
}

function tokens({ fill, onFill, text }: Accent): string {
  return `--accent:${fill};--on-accent:${onFill};--accent-text:${text}`;
}
