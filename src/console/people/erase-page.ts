import { html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { fact } from "../elements.ts";
import { number } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import type { UserSummary } from "./kinds.ts";

/** The second step of an erasure: what will be gone, and the address to type. */
export function erasePage(
  view: View,
  { user, isWrong, problem }: { user: UserSummary; isWrong: boolean; problem: ShownProblem | null },
): PageDocument {
  const { erase, privacy, person } = view.language.phrases.people;
  const { actions } = view.language.phrases.shell;
  const path = (rest: string) => addressOf(view, "people", `/${user.userID}${rest}`);
  return consolePage(view, {
    title: erase.title,
    section: "people",
    styles: ["people.css"],
    main: html`<div class="narrow">
      ${problemBox(problem)} ${isWrong && html`<p class="error" role="alert" id="problem">${erase.wrong}</p>`}
      <dl class="facts card">
        ${fact(person, user.email)} ${fact(erase.points, number(view.language, user.availablePoints))}
      </dl>
      <p class="warning-text">${erase.lead}</p>
      <ul>
        ${erase.what.map((text) => html`<li>${text}</li>`)}
      </ul>
      <p>${erase.exportFirst}</p>
      ${postForm(view, path("/export"), html`<button class="quiet">${privacy.export}</button>`)}
      ${postForm(
        view,
        path("/erase"),
        html`<label>
            ${erase.field}
            <input
              name="typed"
              required
              maxlength="254"
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              ${isWrong && html`aria-invalid="true" aria-describedby="problem"`}
            />
          </label>
          <div class="actions">
            <button class="danger">${erase.submit}</button>
            <a class="button quiet" href="${path("")}">${actions.cancel}</a>
          </div>`,
      )}
    </div>`,
  });
}
