/** Markup in which everything that came from outside is escaped. Only `html` and `raw` make it. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Html = Markup;

/** What a template may hold: markup as it is, anything else as text; null and false leave no trace. */
export type Content = Html | string | number | null | false | readonly Content[];

/**
 * A tagged template for HTML. Each value is text and is escaped, unless a template made it; a list is its members
 * one after the other. Values in attributes must stand between quotes.
 */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
  const [first = "", ...rest] = literals.map(withoutIndentation);
  return new Markup(rest.reduce((text, literal, index) => text + markupOf(values[index] ?? null) + literal, first));
}

/** Text of ours that is markup already: a stylesheet. Never anything that came from outside. */
export function raw(text: string): Html {
  return new Markup(text);
}

/** How the source is indented is a fifth of a page's bytes and none of a browser's business. */
function withoutIndentation(literal: string): string {
  return literal.replaceAll(/\n\s+/g, "\n");
}

function markupOf(value: Content): string {
  if (value === null || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(markupOf).join("");
  return escape(String(value));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
