/** Markup in which everything that came from outside is escaped. Only `html` makes it. */
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
  return new Markup(literals.reduce((text, literal, index) => text + markupOf(values[index - 1] ?? null) + literal));
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
