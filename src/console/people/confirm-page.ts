import { html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { fact } from "../elements.ts";
import { number } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import type { UserSummary } from "./kinds.ts";
import { signed } from "./person-page.ts";

export interface ConfirmContent {
  readonly title: string;
  readonly user: Pick<UserSummary, "email" | "availablePoints">;
  /** Where the form is sent, and the page that it came from: paths below the section. */
  readonly action: string;
  readonly back: string;
  /** The fields that were typed, as they are sent again; with the key of this form. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly reason: string;
  readonly points: number;
  readonly balanceAfter: number;
  /** Points that were spent already and are not taken. */
  readonly waivedPoints: number;
  readonly countsAsEarned: boolean | null;
  readonly items: readonly string[];
  readonly problem: ShownProblem | null;
}

/** Shows what would be booked and the balance after it. Its button books once, by the key in the form. */
export function confirmPage(view: View, content: ConfirmContent): PageDocument {
  const { people, shell } = view.language.phrases;
  const { confirm } = people;
  const { user, points, balanceAfter, waivedPoints, countsAsEarned, items } = content;
  const facts = html`<dl class="facts card">
    ${fact(people.person, html`<bdi>${user.email}</bdi>`)} ${fact(confirm.what, content.title)}
    ${fact(confirm.reason, html`<bdi>${content.reason}</bdi>`)}
    ${items.length > 0 && fact(confirm.items, html`<bdi>${items.join(", ")}</bdi>`)}
    ${fact(confirm.points, signed(view, points))}
    ${waivedPoints > 0 && fact(confirm.waived, number(view.language, waivedPoints))}
    ${countsAsEarned !== null && fact(confirm.earned, countsAsEarned ? confirm.yes : confirm.no)}
    ${fact(confirm.now, number(view.language, user.availablePoints))}
    <div class="after">
      <dt>${confirm.after}</dt>
      <dd>${number(view.language, balanceAfter)}</dd>
    </div>
  </dl>`;
  const hidden = content.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return consolePage(view, {
    title: confirm.title,
    section: "people",
    styles: ["people.css"],
    main: html`<div class="narrow">
      ${problemBox(content.problem)} ${facts}
      ${balanceAfter < 0 && html`<p class="warning-text">${confirm.negative}</p>`}
      ${postForm(
        view,
        addressOf(view, "people", content.action),
        html`${hidden}
          <div class="actions">
            <button>${confirm.book}</button>
            <a class="button quiet" href="${addressOf(view, "people", content.back)}">${shell.actions.cancel}</a>
          </div>
          <p class="hint">${confirm.once}</p>`,
      )}
    </div>`,
  });
}
