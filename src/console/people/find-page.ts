import { html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { doneNotice } from "../problem.ts";

/** The page to find somebody; `typed` is what nobody has. The address is in no URL, which browsers and proxies keep. */
export function findPage(view: View, { typed, done }: { typed: string | null; done: string | null }): PageDocument {
  const { people, shell } = view.language.phrases;
  const isWrong = typed !== null;
  return consolePage(view, {
    title: people.title,
    section: "people",
    main: html`${doneNotice(people.done, done)}
      <p class="lead">${people.find.lead}</p>
      ${isWrong && html`<p class="error" role="alert" id="problem">${people.find.none}</p>`}
      ${postForm(
        view,
        addressOf(view, "people"),
        html`<div class="filters">
          <label>
            ${people.find.field}
            <input
              name="who"
              value="${typed ?? ""}"
              required
              maxlength="254"
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              ${isWrong && html`aria-invalid="true" aria-describedby="problem"`}
            />
          </label>
          <button>${shell.actions.search}</button>
        </div>`,
      )}`,
  });
}
