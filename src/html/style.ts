import { createHash } from "node:crypto";
import { accentIn } from "./colour.ts";
import type { Accent } from "./colour.ts";

/**
 * A stylesheet inside the page: the first response is all that the first paint needs. The page's policy contains its
 * hash, so that browsers apply no other stylesheet.
 */
export interface StyleSheet {
  readonly css: string;
  /** The hash, in the syntax of `style-src`. */
  readonly source: string;
}

/** Creates a stylesheet from our CSS (formatted, no string with braces or colons), without comments and spaces. */
export function styleSheet(css: string): StyleSheet {
  const minified = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s*([{};\n])\s*/g, "$1")
    .replaceAll(/\n/g, " ")
    .replaceAll(/([:,]) /g, "$1")
    .replaceAll(";}", "}");
  return { css: minified, source: `'sha256-${createHash("sha256").update(minified).digest("base64")}'` };
}

/**
 * Creates the variables of an application's accent colour (`#rrggbb`), which replace those of theme.css in both
 * schemes.
 */
export function accentStyle(colour: string): StyleSheet {
  return styleSheet(
    `:root{${tokens(accentIn("light", colour))}}@media (prefers-color-scheme:dark){:root{${tokens(accentIn("dark", colour))}}}`,
  );
}

function tokens({ fill, onFill, text }: Accent): string {
  return `--accent:${fill};--on-accent:${onFill};--accent-text:${text}`;
}
