import { html } from "../html/html.ts";
import type { Content, Html } from "../html/html.ts";

/** The little Markdown that descriptions are written in, as HTML: paragraphs, `##` headings, lists, `code`. */
export function markdown(text: string): Html {
  return html`${text.split(/\n{2,}/).map(block)}`;
}

/** The same within a line. */
export function inline(text: string): Content {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function block(text: string): Html {
  if (text.startsWith("## ")) return html`<h2>${inline(text.slice(3))}</h2>`;
  const lines = text.split("\n");
  if (lines.every((line) => line.startsWith("- "))) {
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  }
  if (lines.every((line) => /^\d+\. /.test(line))) {
    return html`<ol>
      ${lines.map((line) => html`<li>${inline(line.replace(/^\d+\. /, ""))}</li>`)}
    </ol>`;
  }
  return html`<p>${inline(text)}</p>`;
}
