// What pages of all sections are made of.
import { html } from "../html/html.ts";
import type { Content, Html } from "../html/html.ts";
import { instant } from "./format.ts";
import type { ConsoleLanguage } from "./language.ts";

/** A badge with a word; `kind` adds a colour, which never is all that says it. */
export function badge(word: Content, kind: "" | "good" | "warning" | "error" | "sandbox" = ""): Html {
  return html`<span class="badge ${kind}">${word}</span>`;
}

/** A time in a table, where it takes two lines and not five. */
export function timeOf({ language }: { readonly language: ConsoleLanguage }, at: string | Date): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${instant(language, at)}</time>`;
}

/** A region that scrolls when its table is wider. It takes the focus, so that the arrow keys scroll it. */
export function scrolling(label: string, table: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** The heading of a column; `number`: of a column of numbers. Null: the corner above the headings of the rows. */
export type Column = string | { readonly number: string } | null;

export interface DataTable {
  /** The name of the region. */
  readonly label: string;
  readonly caption?: string;
  readonly columns: readonly Column[];
  readonly rows: Content;
  /** A class of the table. */
  readonly look?: string;
}

/** A table that scrolls on its own where the window is narrower. */
export function dataTable({ label, caption, columns, rows, look = "" }: DataTable): Html {
  return scrolling(
    label,
    html`<table ${look && html`class="${look}"`}>
      ${
        caption !== undefined &&
        html`<caption>
          ${caption}
        </caption>`
      }
      ${headings(columns)}
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

/** The headings of the columns. */
export function headings(columns: readonly Column[], more: Content = null): Html {
  return html`<thead>
    <tr>
      ${columns.map((column) => {
        if (column === null) return html`<td></td>`;
        return typeof column === "string"
          ? html`<th scope="col">${column}</th>`
          : html`<th scope="col" class="num">${column.number}</th>`;
      })}
      ${more}
    </tr>
  </thead>`;
}

/** A line of a list of facts (`<dl class="facts">`); nothing for a fact that is unknown or empty. */
export function fact(name: Content, value: Content | undefined): Html | null {
  if (value === undefined || value === null || value === false || value === "") return null;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
