import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { badge, dataTable, timeOf } from "../elements.ts";
import { number } from "../format.ts";
import type { View } from "../page.ts";
import type { Correction, Status } from "./types.ts";

type State = Correction["before"];

/** The corrections of a receipt, with what each has changed. */
export function correctionsTable(view: View, { corrections = [] }: Status): Html | null {
  const { corrections: words } = view.language.phrases.receipts;
  if (corrections.length === 0) return null;
  const columns = [words.when, words.reason, words.lines, { number: words.change }];
  const rows = corrections.map(
    ({ correctedAt, reason, before, after, totalPoints }) =>
      html`<tr>
        <td>${timeOf(view, correctedAt)}</td>
        <td><bdi>${reason}</bdi></td>
        <td>${after ? changes(view, before, after) : words.notCredited}</td>
        <td class="num">${number(view.language, totalPoints)}</td>
      </tr>`,
  );
  return html`<h2>${words.title}</h2>
    ${dataTable({ label: words.title, caption: words.caption, columns, rows })}`;
}

/** What is only before a correction, and only after it. */
function changes(view: View, before: State, after: State): Html {
  const { corrections: words } = view.language.phrases.receipts;
  const [removed, added] = [only(before, after), only(after, before)];
  if (removed.length + added.length === 0) return html`<span class="soft">${words.same}</span>`;
  return html`<ul class="plain-list">
    ${removed.map(
      (text) =>
        html`<li>
          <del><bdi>${text}</bdi></del> <span class="soft">${words.before}</span>
        </li>`,
    )}
    ${added.map(
      (text) =>
        html`<li>
          <ins><bdi>${text}</bdi></ins> <span class="soft">${words.after}</span>
        </li>`,
    )}
  </ul>`;
}

function only(state: State, other: State): string[] {
  const described = new Set(descriptions(other));
  return descriptions(state).filter((text) => !described.has(text));
}

function descriptions({ merchantName, transactionTimestamp, totalAmount, items }: State): string[] {
  const lines = items.map(({ name, qty, matchedIngredientName, totalServicePoints }) =>
    [`${qty} × ${name}`, matchedIngredientName, String(totalServicePoints)].filter((part) => part !== "").join(" · "),
  );
  return [merchantName, transactionTimestamp.slice(0, 16).replace("T", " "), totalAmount.toFixed(2), ...lines];
}

/** What the user has reported, and what became of it. */
export function disputesTable(view: View, { disputes = [] }: Status): Html | null {
  const { disputes: words } = view.language.phrases.receipts;
  if (disputes.length === 0) return null;
  const columns = [words.what, words.shown, words.expected, words.note, words.state];
  const kinds = { open: "warning", accepted: "good", rejected: "" } as const;
  const rows = disputes.map(
    ({ kind, shown, expected, note, state, reason }) =>
      html`<tr>
        <td>${words.kinds[kind] ?? kind}</td>
        <td><bdi>${shown}</bdi></td>
        <td><bdi>${expected}</bdi></td>
        <td><bdi>${note}</bdi></td>
        <td>${badge(words.states[state], kinds[state])} <bdi>${reason}</bdi></td>
      </tr>`,
  );
  return html`<h2>${words.title}</h2>
    ${dataTable({ label: words.title, caption: words.caption, columns, rows })}`;
}
