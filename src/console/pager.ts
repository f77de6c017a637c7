import { html } from "../html/html.ts";
import type { Html } from "../html/html.ts";
import { number } from "./format.ts";
import type { View } from "./page.ts";

/** Entries of a page of a list. */
export const PAGE_SIZE = 20;

/** Links to the pages before and after; nothing where there is one page. `addressOfPage` has the rest of the query. */
export function pager(
  view: View,
  { page, count, addressOfPage }: { page: number; count: number; addressOfPage: (page: number) => string },
): Html | null {
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  if (pages === 1 && page === 1) return null;
  const { actions } = view.language.phrases.shell;
  return html`<nav class="pages" aria-label="${actions.next}">
    ${page > 1 && html`<a class="button quiet" rel="prev" href="${addressOfPage(page - 1)}">${actions.previous}</a>`}
    <span>${number(view.language, page)} / ${number(view.language, pages)}</span>
    ${page < pages && html`<a class="button quiet" rel="next" href="${addressOfPage(page + 1)}">${actions.next}</a>`}
  </nav>`;
}
