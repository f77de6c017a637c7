import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { instant } from "../format.ts";
import { consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { doneNotice } from "../problem.ts";
import type { Passkey } from "../sign-in/passkeys.store.ts";
import { passwordErrorText, passwordField } from "../sign-in/page.ts";
import type { PasswordError } from "../sign-in/password.ts";

/** What a person sees of the own account. */
export interface Account {
  readonly passkeys: readonly Passkey[];
  readonly hasPassword: boolean;
  /** The key of what was just done. */
  readonly done: string | null;
  readonly error: PasswordError | "wrong" | null;
}

/** The page of a person's own account: passkeys, password, sessions. */
export function accountPage(view: View, account: Account): PageDocument {
  const words = view.language.phrases.account;
  return consolePage(view, {
    title: words.title,
    section: null,
    scripts: ["passkeys.js"],
    main: html`${doneNotice(words.done, account.done)}
      <section aria-labelledby="passkeys">
        <h2 id="passkeys">${words.passkeys.title}</h2>
        <p>${words.passkeys.hint}</p>
        ${passkeyList(view, account.passkeys)} ${addPasskey(view)}
      </section>
      <section aria-labelledby="password">
        <h2 id="password">${words.password.title}</h2>
        ${account.hasPassword ? passwordForm(view, account.error) : html`<p>${words.password.noneYet}</p>`}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">${words.sessions.title}</h2>
        <p>${words.sessions.hint}</p>
        ${postForm(
          view,
          `${view.basePath}/console/account/sign-out`,
          html`<button class="quiet">${words.sessions.submit}</button>`,
        )}
      </section>`,
  });
}

function passkeyList(view: View, passkeys: readonly Passkey[]): Html {
  const words = view.language.phrases.account.passkeys;
  if (passkeys.length === 0) return html`<p class="soft">${words.none}</p>`;
  return html`<ul class="cards">
    ${passkeys.map(({ credentialId, createdAt, usedAt }) => {
      const added = instant(view.language, createdAt);
      const remove = html`<input type="hidden" name="passkey" value="${credentialId.toString("base64url")}" />
        <button class="danger" aria-label="${words.removeOf(added)}">${words.remove}</button>`;
      return html`<li class="card">
        <p>${words.added(added)} · ${usedAt ? words.used(instant(view.language, usedAt)) : words.neverUsed}</p>
        ${postForm(view, `${view.basePath}/console/account/remove-passkey`, remove)}
      </li>`;
    })}
  </ul>`;
}

/** The script shows the button where the browser can make a passkey. */
function addPasskey(view: View): Html {
  const words = view.language.phrases.account.passkeys;
  const base = `${view.basePath}/console/account`;
  return html`<div data-passkey="create" data-options="${base}/passkey-options" data-send="${base}/passkey">
    <input type="hidden" name="formToken" value="${view.formToken}" />
    <p class="hint" data-unavailable>${words.unavailable}</p>
    <button type="button" hidden>${words.add}</button>
    <p class="error" role="alert" hidden>${words.failed}</p>
  </div>`;
}

function passwordForm(view: View, error: Account["error"]): Html {
  const { account, signIn } = view.language.phrases;
  const words = account.password;
  const text = error === "wrong" ? words.wrong : passwordErrorText(signIn, error);
  const fields = html`${text !== null && html`<p class="error" role="alert" id="error">${text}</p>`}
    <input type="hidden" autocomplete="username" value="${view.user.email}" />
    <label>
      ${words.current} <input name="current" type="password" autocomplete="current-password" required maxlength="200" />
    </label>
    ${passwordField(words.newPassword, "password", error !== null)}
    ${passwordField(words.repeat, "repeated", error !== null)}
    <button>${words.submit}</button>`;
  return html`<div class="narrow">${postForm(view, `${view.basePath}/console/account/password`, fields)}</div>`;
}
