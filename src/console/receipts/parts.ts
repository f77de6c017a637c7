import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { badge, dataTable } from "../elements.ts";
import { colon, counted, money, number, percent } from "../format.ts";
import type { View } from "../page.ts";
import { checksOf } from "./types.ts";
import type { Check, Entry, Line, Reading, Status } from "./types.ts";

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
  const rows = fields.map(
    (field) =>
      html`<tr data-place="${field.name}">
        <th scope="row">${words.names[field.name]}</th>
        <td><bdi>${field.printed ?? words.nothing}</bdi></td>
        <td class="num">${share(field.accuracy)}</td>
      </tr>`,
  );
  const all = html`<tr>
    <th scope="row">${words.all}</th>
    <td></td>
    <td class="num">${share(accuracy)}</td>
  </tr>`;
  const columns = [words.field, words.value, { number: words.accuracy }];
  return dataTable({ label: words.title, caption: words.caption, columns, rows: [...rows, all] });
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
  const rows = sorted.map(
    ({ name, outcome, reason }) =>
      html`<tr>
        <th scope="row">${words.names[name] ?? name}</th>
        <td>${badge(words.outcomes[outcome] ?? outcome, OUTCOME_KINDS[outcome])}</td>
        <td><bdi lang="en">${reason}</bdi></td>
      </tr>`,
  );
  const columns = [words.check, words.outcome, words.reason];
  return dataTable({ label: words.title, caption: words.caption, columns, rows });
}

/** The sentences of why a receipt is held. */
export function heldSentences(view: View, status: Status, accuracy: number | null): Content[] {
  const { review, receipts } = view.language.phrases;
  const checks = new Map<string, Check>(checksOf(status).map((check) => [check.name, check]));
  return (status.review?.because ?? []).map((name) => {
    if (name === "confidence") {
      return accuracy === null ? review.becauseOfSample : review.becauseConfidence(percent(view.language, accuracy));
    }
    const check = checks.get(name);
    const title = receipts.checks.names[name] ?? name;
    return check ? html`${title}${colon(view.language)} <bdi lang="en">${check.reason}</bdi>` : title;
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
