import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { counted, instant, money, number, percent } from "../format.ts";
import type { View } from "../page.ts";
import { checksOf } from "./types.ts";
import type { Check, Entry, Line, Reading, Status } from "./types.ts";

/** A badge with a word; `kind` adds a colour. */
export function badge(word: string, kind: "" | "good" | "warning" | "error" = ""): Html {
  return html`<span class="badge ${kind}">${word}</span>`;
}

/** The state of a receipt in words. */
export function stateBadge(view: View, { status, held }: Pick<Status, "status"> & { readonly held?: boolean }): Html {
  const { states } = view.language.phrases.receipts;
  if (held === true) return badge(states.held, "warning");
  return badge(states[status], status === "Completed" ? "good" : status === "Failed" ? "error" : "");
}

/** The notes on a receipt of the list. */
export function flagsOf(view: View, { held, openDisputes, corrections, isSample }: Entry): Html[] {
  const { flags } = view.language.phrases.receipts;
  const { language } = view;
  return [
    ...(held ? [badge(flags.held, "warning")] : []),
    ...(openDisputes > 0 ? [badge(counted(language, flags.disputes, openDisputes), "warning")] : []),
    ...(corrections > 0 ? [badge(counted(language, flags.corrected, corrections))] : []),
    ...(isSample ? [badge(flags.sample)] : []),
  ];
}

/** A region that scrolls when its table is wider. */
export function scrolling(label: string, table: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** The letters of a line's ratings. */
export function gradesOf(view: View, { healthGrade, carbonGrade }: Line): Html | null {
  const { lines } = view.language.phrases.receipts;
  if (healthGrade === null || carbonGrade === null) return null;
  const letter = (grade: string, label: string) =>
    html`<span class="grade grade-${grade}" title="${label}"
      ><span class="visually-hidden">${label}</span><span aria-hidden="true">${grade}</span></span
    >`;
  return html`${letter(healthGrade, lines.health(healthGrade))} ${letter(carbonGrade, lines.carbon(carbonGrade))}`;
}

/** The food of a line, or why it earns nothing. */
export function foodOf(view: View, { matchedIngredientName, exclusionReason }: Line): Content {
  const { exclusions } = view.language.phrases.receipts;
  if (exclusionReason !== null) return badge(exclusions[exclusionReason]);
  return matchedIngredientName === "" ? null : html`<bdi>${matchedIngredientName}</bdi>`;
}

/** The fields as read, with how surely. */
export function fieldsTable(view: View, { fields, accuracy }: Reading): Html | null {
  const { fields: words } = view.language.phrases.receipts;
  const { language } = view;
  if (fields.length === 0) return null;
  const share = (value: number | null) => (value === null ? "" : percent(language, value));
  return scrolling(
    words.title,
    html`<table>
      <caption>
        ${words.caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.field}</th>
          <th scope="col">${words.value}</th>
          <th scope="col" class="num">${words.accuracy}</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          (field) =>
            html`<tr data-place="${field.name}">
              <th scope="row">${words.names[field.name]}</th>
              <td><bdi>${field.printed ?? words.nothing}</bdi></td>
              <td class="num">${share(field.accuracy)}</td>
            </tr>`,
        )}
        <tr>
          <th scope="row">${words.all}</th>
          <td></td>
          <td class="num">${share(accuracy)}</td>
        </tr>
      </tbody>
    </table>`,
  );
}

const OUTCOME_KINDS: Readonly<Record<string, "good" | "warning" | "error">> = {
  passed: "good",
  doubtful: "warning",
  failed: "error",
};
const OUTCOME_ORDER = ["failed", "doubtful", "passed", "not_checked"];

/** The checks with their sentences; those that were not passed first. */
export function checksTable(view: View, status: Status): Html | null {
  const { checks: words } = view.language.phrases.receipts;
  const sorted = checksOf(status).toSorted(
    (a, b) => OUTCOME_ORDER.indexOf(a.outcome) - OUTCOME_ORDER.indexOf(b.outcome),
  );
  if (sorted.length === 0) return null;
  return scrolling(
    words.title,
    html`<table>
      <caption>
        ${words.caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.check}</th>
          <th scope="col">${words.outcome}</th>
          <th scope="col">${words.reason}</th>
        </tr>
      </thead>
      <tbody>
        ${sorted.map(
          ({ name, outcome, reason }) =>
            html`<tr>
              <th scope="row">${words.names[name] ?? name}</th>
              <td>${badge(words.outcomes[outcome] ?? outcome, OUTCOME_KINDS[outcome])}</td>
              <td>${reason}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

/** The sentences of why a receipt is held. */
export function heldSentences(view: View, status: Status, accuracy: number | null): string[] {
  const { review, receipts } = view.language.phrases;
  const checks = new Map<string, Check>(checksOf(status).map((check) => [check.name, check]));
  return (status.review?.because ?? []).map((name) => {
    if (name === "confidence") {
      return accuracy === null ? review.becauseOfSample : review.becauseConfidence(percent(view.language, accuracy));
    }
    const check = checks.get(name);
    const title = receipts.checks.names[name] ?? name;
    return check ? `${title}: ${check.reason}` : title;
  });
}

/** When it was bought, as printed or corrected. */
export function boughtAt({ date, time }: Reading): string {
  return date === null ? "" : `${date} ${time?.slice(0, 5) ?? ""}`.trim();
}

/** A total with its currency. */
export function totalOf(view: View, total: number | null, currency: string | null): string {
  return total === null ? "" : money(view.language, total, currency);
}

/** Points, or nothing. */
export function pointsOf(view: View, points: number | null): string {
  return points === null ? "" : number(view.language, points);
}

/** A time for a table. */
export function timeOf(view: View, at: string): Html {
  return html`<time datetime="${at}">${instant(view.language, at)}</time>`;
}
