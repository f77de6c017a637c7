import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { CREDENTIAL_NAME_MAX, credentialState } from "../../applications/credential.ts";
import type { CredentialState, ListedCredential } from "../../applications/credential.ts";
import { SCOPES } from "../../applications/scope.ts";
import { badge, dataTable, timeOf } from "../elements.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { EVERYTHING } from "./new-credential.ts";
import type { CredentialError, TypedCredential } from "./new-credential.ts";

/** What is shown of the credentials of an application. */
export interface CredentialsContent {
  readonly credentials: readonly ListedCredential[];
  readonly now: Date;
  /** Why one could not be added. */
  readonly error: CredentialError | null;
  readonly typed: TypedCredential;
}

const STATE_KINDS: Readonly<Record<CredentialState, "good" | "warning" | "">> = {
  active: "good",
  expired: "warning",
  revoked: "",
};

/** All credentials of an application, with the form that adds one for who may. */
export function credentialsPart(view: View, shown: CredentialsContent): Html {
  const { keys } = view.language.phrases.developers;
  const { actions, ...columns } = keys.columns;
  const mayChange = view.rights.has("develop");
  const rows = shown.credentials.map((credential) => credentialRow(view, credential, shown.now));
  return html`${dataTable({
    label: keys.list,
    columns: [...Object.values(columns), ...(mayChange ? [actions] : [])],
    rows,
  })}
  ${mayChange && addForm(view, shown)}`;
}

function credentialRow(view: View, credential: ListedCredential, now: Date): Html {
  const { keys } = view.language.phrases.developers;
  const { id, createdAt, expiresAt, lastUsedAt } = credential;
  const name = credential.name ?? keys.first;
  const state = credentialState(credential, now);
  const revoke = html`<p class="hint">${keys.revokeHint}</p>
    <button class="danger" aria-label="${keys.revokeOf(name)}">${keys.revoke}</button>`;
  return html`<tr>
    <th scope="row"><bdi>${name}</bdi><br /><code>${id}</code></th>
    <td>${credential.scopes ? credential.scopes.map((scope) => html`<code>${scope}</code> `) : keys.everything}</td>
    <td>${badge(keys.states[state], STATE_KINDS[state])}</td>
    <td>${timeOf(view, createdAt)}</td>
    <td>${expiresAt ? timeOf(view, expiresAt) : keys.noExpiry}</td>
    <td>${lastUsedAt ? timeOf(view, lastUsedAt) : keys.neverUsed}</td>
    ${
      view.rights.has("develop") &&
      html`<td>
        ${
          state === "active" &&
          html`<details>
            <summary class="button quiet">${keys.revoke}</summary>
            ${postForm(view, addressOf(view, "developers", `/credentials/${id}/revoke`), revoke)}
          </details>`
        }
      </td>`
    }
  </tr>`;
}

function addForm(view: View, { typed, error }: CredentialsContent): Html {
  const { keys } = view.language.phrases.developers;
  const form = html`<p class="hint">${keys.addHint}</p>
    <label>
      ${keys.name}
      <input
        name="name"
        required
        maxlength="${CREDENTIAL_NAME_MAX}"
        value="${typed.name}"
        aria-describedby="name-hint"
        ${error === "name" && html`aria-invalid="true"`}
      />
    </label>
    <p class="hint" id="name-hint">${keys.nameHint}</p>
    <label>
      ${keys.expiry}
      <select name="days">
        ${Object.entries(keys.days).map(
          ([days, label]) => html`<option value="${days}" ${days === typed.days && html`selected`}>${label}</option>`,
        )}
      </select>
    </label>
    <fieldset aria-describedby="scopes-hint">
      <legend>${keys.scopes}</legend>
      ${scopeBox(typed, EVERYTHING, keys.everything)}
      ${SCOPES.map((scope) => scopeBox(typed, scope, html`<code>${scope}</code>`))}
    </fieldset>
    <p class="hint" id="scopes-hint">${keys.scopesHint}</p>
    <button>${keys.add}</button>`;
  return html`<details ${error !== null && html`open`}>
    <summary class="button quiet">${keys.add}</summary>
    ${error !== null && html`<p class="error" role="alert">${keys.errors[error]}</p>`}
    <div class="narrow">${postForm(view, addressOf(view, "developers", "/credentials"), form)}</div>
  </details>`;
}

function scopeBox(typed: TypedCredential, value: string, label: Content): Html {
  return html`<label>
    <input name="scopes" type="checkbox" value="${value}" ${typed.scopes.includes(value) && html`checked`} /> ${label}
  </label>`;
}
