import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { number } from "../format.ts";
import type { View } from "../page.ts";
import { badge, scrolling, timeOf } from "./parts.ts";
import type { Correction, Status } from "./types.ts";

type State = Correction["before"];

/** The corrections of a receipt, with what each has changed. */
export function correctionsTable(view: View, { corrections = [] }: Status): Html | null {
  const { corrections: words } = view.language.phrases.receipts;
  if (corrections.length === 0) return null;
  return html`<h2>${words.title}</h2>
    ${scrolling(
      words.title,
      html`<table>
        <caption>
          ${words.caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${words.when}</th>
            <th scope="col">${words.reason}</th>
            <th scope="col">${words.lines}</th>
            <th scope="col" class="num">${words.change}</th>
          </tr>
        </thead>
        <tbody>
          ${corrections.map(
            ({ correctedAt, reason, before, after, totalPoints }) =>
              html`<tr>
                <td>${timeOf(view, correctedAt)}</td>
                <td>${reason}</td>
                <td>${after ? changes(view, before, after) : words.notCredited}</td>
                <td class="num">${number(view.language, totalPoints)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
    )}`;
}

/** What is only before a correction, and only after it. */
function changes(view: View, before: State, after: State): Html {
  const { corrections: words } = view.language.phrases.receipts;
  const [removed, added] = [only(before, after), only(after, before)];
  if (removed.length + added.length === 0) return html`<span class="soft">${words.same}</span>`;
  return html`<ul class="plain-list">
    ${removed.map((text) => html`<li><del>${text}</del> <span class="soft">${words.before}</span></li>`)}
    ${added.map((text) => html`<li><ins>${text}</ins> <span class="soft">${words.after}</span></li>`)}
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
  const kinds = { open: "warning", accepted: "good", rejected: "" } as const;
  return html`<h2>${words.title}</h2>
    ${scrolling(
      words.title,
      html`<table>
        <caption>
          ${words.caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${words.what}</th>
            <th scope="col">${words.shown}</th>
            <th scope="col">${words.expected}</th>
            <th scope="col">${words.note}</th>
            <th scope="col">${words.state}</th>
          </tr>
        </thead>
        <tbody>
          ${disputes.map(
            ({ kind, shown, expected, note, state, reason }) =>
              html`<tr>
                <td>${words.kinds[kind] ?? kind}</td>
                <td><bdi>${shown}</bdi></td>
                <td><bdi>${expected}</bdi></td>
                <td><bdi>${note}</bdi></td>
                <td>${badge(words.states[state], kinds[state])} ${reason}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
    )}`;
}
