import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { fieldState, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { REWARD_FIELDS } from "./typed.ts";
import type { RewardField, TypedReward } from "./typed.ts";

export interface FormContent {
  /** Null: a new reward. */
  readonly id: string | null;
  readonly name: string;
  /** What the form was first drawn with, so that only what was changed is sent; of a new one, its key. */
  readonly drawn: TypedReward;
  readonly key: string;
  readonly typed: TypedReward;
  readonly problem: ShownProblem | null;
}

/** The form of a reward, new or to be changed. */
export function formPage(view: View, content: FormContent): PageDocument {
  const { rewards, shell } = view.language.phrases;
  const { id, name, drawn, key, problem } = content;
  const { groups, form } = rewards;
  const below = id === null ? "" : `/${id}`;
  const hidden =
    id === null
      ? html`<input type="hidden" name="key" value="${key}" />`
      : REWARD_FIELDS.map((field) => html`<input type="hidden" name="was-${field}" value="${drawn[field]}" />`);
  const field = (which: RewardField, attributes: Html | null = null) => input(view, content, which, attributes);
  const fields = html`<fieldset>
      <legend>${groups.what}</legend>
      ${field("name", html`required maxlength="255"`)} ${field("brand")} ${field("category")} ${field("offer")}
      ${area(view, content, "description")} ${area(view, content, "terms")} ${field("location")}
    </fieldset>
    <fieldset>
      <legend>${groups.price}</legend>
      ${field("points", html`required inputmode="numeric"`)} ${field("stock", html`inputmode="numeric"`)}
      ${tierField(view, content)} ${field("validFrom", html`type="datetime-local"`)}
      ${field("validTill", html`type="datetime-local"`)} ${field("value", html`inputmode="decimal"`)}
      ${field("currency", html`maxlength="3"`)} ${id === null && codesField(view, content)}
    </fieldset>
    <fieldset>
      <legend>${groups.look}</legend>
      ${field("imageUrl", html`type="url"`)} ${field("logoUrl", html`type="url"`)}
    </fieldset>`;
  return consolePage(view, {
    title: id === null ? form.newTitle : form.editTitle(name),
    section: "rewards",
    styles: ["rewards.css"],
    main: html`${problemBox(problem)}
    ${postForm(
      view,
      addressOf(view, "rewards", below),
      html`${hidden} ${fields}
        <div class="actions">
          <button>${form.save}</button>
          <a class="button quiet" href="${addressOf(view, "rewards", below)}">${shell.actions.cancel}</a>
        </div>`,
    )}`,
  });
}

function input(view: View, { typed, problem }: FormContent, field: RewardField, attributes: Html | null): Html {
  const { fields } = view.language.phrases.rewards;
  return html`<label>
    ${fields[field]}
    <input name="${field}" value="${typed[field]}" ${attributes} ${fieldState(problem, field)} />
  </label>`;
}

function area(view: View, { typed, problem }: FormContent, field: "description" | "terms"): Html {
  const { fields } = view.language.phrases.rewards;
  return html`<label>
    ${fields[field]}
    <textarea name="${field}" rows="3" ${fieldState(problem, field)}>${typed[field]}</textarea>
  </label>`;
}

function tierField(view: View, { typed, problem }: FormContent): Html {
  const { fields, tiers } = view.language.phrases.rewards;
  return html`<label>
    ${fields.tier}
    <select name="tier" ${fieldState(problem, "tier")}>
      ${tiers.map(
        (name, i) => html`<option value="${i}" ${typed.tier === String(i) && html`selected`}>${name}</option>`,
      )}
    </select>
  </label>`;
}

function codesField(view: View, { typed, problem }: FormContent): Html {
  const { fields, codeKinds } = view.language.phrases.rewards;
  return html`<label>
      ${fields.codes}
      <select name="codes" aria-describedby="codes-kind" ${fieldState(problem, "codes") && html`aria-invalid="true"`}>
        ${Object.entries(codeKinds).map(
          ([kind, name]) => html`<option value="${kind}" ${typed.codes === kind && html`selected`}>${name}</option>`,
        )}
      </select>
    </label>
    <p class="hint" id="codes-kind">${fields.codesHint}</p>`;
}
