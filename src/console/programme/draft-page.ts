import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { PARTS, definitionIn, schemaOf } from "./draft.ts";
import type { Part } from "./draft.ts";
import { fieldsOfSchema, isTooLong } from "./schema-form.ts";
import type { ErrorsByPath } from "./schema-form.ts";

export interface DraftContent {
  readonly json: string;
  readonly note: string;
  readonly key: string;
  /** The part whose form was just used: it stays open. */
  readonly part: Part | null;
  readonly isNotJson: boolean;
  readonly problem: ShownProblem | null;
  readonly errors: ErrorsByPath;
}

/** The editor of a draft: its JSON, and a form for each part that changes the JSON. */
export function draftPage(view: View, content: DraftContent): PageDocument {
  const { programme } = view.language.phrases;
  const { json, note, key, isNotJson, problem } = content;
  const { draft } = programme;
  const isWrong = isNotJson || problem !== null;
  return consolePage(view, {
    title: draft.title,
    section: "programme",
    isWide: true,
    styles: ["programme.css"],
    scripts: ["programme-draft.js"],
    main: html`${isNotJson && html`<p class="error" role="alert" id="problem">${draft.notJson}</p>`}
    ${problemBox(problem)}
    ${postForm(
      view,
      addressOf(view, "programme", "/draft"),
      html`<input type="hidden" name="key" value="${key}" />
        <div class="editor">
          <div class="editor-json">
            <label>
              ${draft.json}
              <textarea
                name="json"
                rows="24"
                class="code"
                spellcheck="false"
                autocapitalize="none"
                aria-describedby="${isWrong ? "problem json-hint" : "json-hint"}"
                ${isWrong && html`aria-invalid="true"`}
              >
${json}</textarea>
            </label>
            <p class="hint" id="json-hint">${draft.jsonHint}</p>
            <label>${draft.note}<input name="note" maxlength="1000" value="${note}" /></label>
            <div class="actions">
              <button class="quiet" name="do" value="read">${draft.read}</button>
              <button name="do" value="save">${draft.save}</button>
            </div>
          </div>
          <section class="editor-forms" aria-labelledby="forms">
            <h2 id="forms">${draft.parts}</h2>
            ${formsOf(view, content)}
          </section>
        </div>`,
    )}`,
  });
}

/** A form for each part; those with an error are open. */
function formsOf(view: View, { json, part, errors }: DraftContent): Html[] {
  const { draft, members } = view.language.phrases.programme;
  const definition = definitionIn(json) ?? {};
  const label = (name: string) => (Object.hasOwn(members, name) ? members[name]! : name);
  const words = { label, remove: draft.remove, more: draft.more };
  const hasError = (each: Part) => Object.keys(errors).some((path) => path.split(/[.[]/, 1)[0] === each);
  return PARTS.map(
    (each) =>
      html`<details ${(each === part || hasError(each)) && html`open`}>
        <summary>${label(each)}</summary>
        ${
          !isTooLong(schemaOf(each), definition[each]) &&
          html`${fieldsOfSchema(schemaOf(each), definition[each], each, { words, errors })}
            <button class="quiet" name="do" value="part:${each}">${draft.apply(label(each))}</button>`
        }
      </details>`,
  );
}
