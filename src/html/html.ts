/** Markup with all values escaped. Only `html` and `raw` create it. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Html = Markup;

/** A value in a template: markup is inserted as it is, anything else as text; null and false insert nothing. */
export type Content = Html | string | number | null | false | readonly Content[];

/**
 * A tagged template for HTML. Each value is escaped as text, unless a template created it; the members of a list are
 * inserted one after the other. Values in attributes must be in quotes.
 */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
  const [first = "", ...rest] = writtenOf(literals);
  return new Markup(rest.reduce((text, literal, index) => text + markupOf(values[index] ?? null) + literal, first));
}

/** Marks our own text as markup, such as a stylesheet. Never use it for data from outside. */
export function raw(text: string): Html {
  return new Markup(text);
}

/** The literals of each template in the source as they are written: a long table has the same thousands of times. */
const written = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of the source, a fifth of a page's bytes. */
function writtenOf(literals: TemplateStringsArray): readonly string[] {
  const known = written.get(literals);
  if (known) return known;
  const stripped = literals.map((literal) => literal.replaceAll(/\n\s+/g, "\n"));
  written.set(literals, stripped);
  return stripped;
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
