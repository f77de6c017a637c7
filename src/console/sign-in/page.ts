import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { ConsolePhrases } from "../language.ts";
import { plainPage } from "../page.ts";
import type { ConsoleFrame } from "../page.ts";
import { PASSWORD_LENGTH } from "./password.ts";
import type { PasswordError } from "./password.ts";

/** The page to sign in at; `isWrong` after a failed attempt, with the address typed then. */
export function signInPage(
  frame: ConsoleFrame,
  page: { email: string; next: string; isWrong: boolean; providerName: string | null },
): PageDocument {
  const { signIn } = frame.language.phrases;
  const { email, next, isWrong, providerName } = page;
  const base = `${frame.basePath}/console/sign-in`;
  const nextField = html`<input type="hidden" name="next" value="${next}" />`;
  return plainPage(frame, {
    title: signIn.title,
    scripts: ["passkeys.js"],
    main: html`${
        providerName !== null &&
        html`<p>
          <a class="button quiet" href="${base}/provider?next=${encodeURIComponent(next)}"
            >${signIn.provider(providerName)}</a
          >
        </p>`
      }
      <div data-passkey="get" data-options="${base}/passkey-options" data-send="${base}/passkey">
        ${nextField}
        <button type="button" class="quiet" hidden>${signIn.passkey}</button>
        <p class="error" role="alert" hidden>${signIn.passkeyFailed}</p>
      </div>
      <form method="post" action="${base}">
        ${isWrong && html`<p class="error" role="alert" id="wrong">${signIn.wrong}</p>`} ${nextField}
        <label>
          ${signIn.email}
          <input
            name="email"
            type="email"
            value="${email}"
            autocomplete="username"
            required
            maxlength="254"
            ${isWrong && html`aria-describedby="wrong"`}
          />
        </label>
        <label>
          ${signIn.password}
          <input name="password" type="password" autocomplete="current-password" required maxlength="200" />
        </label>
        <button>${signIn.submit}</button>
      </form>
      <p class="hint">${signIn.none}</p>
      <pre><code>npm run cli -- console user add --email you@example.org --name You --role operator</code></pre>`,
  });
}

/** The page of a one-time link, where a passkey is made or a password chosen. */
export function linkPage(
  frame: ConsoleFrame,
  { token, name, email, error }: { token: string; name: string; email: string; error: PasswordError | null },
): PageDocument {
  const { signIn } = frame.language.phrases;
  const { link, email: emailLabel } = signIn;
  const base = `${frame.basePath}/console/link`;
  const text = passwordErrorText(signIn, error);
  const tokenField = html`<input type="hidden" name="token" value="${token}" />`;
  return plainPage(frame, {
    title: link.title(name),
    scripts: ["passkeys.js"],
    main: html`<p class="lead">${link.text}</p>
      <div data-passkey="create" data-options="${base}/passkey-options" data-send="${base}/passkey">
        ${tokenField}
        <button type="button" hidden>${link.passkey}</button>
        <p class="error" role="alert" hidden>${signIn.passkeyFailed}</p>
      </div>
      <h2>${link.password}</h2>
      <form method="post" action="${base}">
        ${text !== null && html`<p class="error" role="alert" id="error">${text}</p>`} ${tokenField}
        <label>${emailLabel} <input type="email" value="${email}" autocomplete="username" readonly /></label>
        ${passwordField(link.newPassword, "password", error !== null)}
        ${passwordField(link.repeat, "repeated", error !== null)}
        <p class="hint" id="hint">${link.hint(PASSWORD_LENGTH.min)}</p>
        <button>${link.submit}</button>
      </form>`,
  });
}

/** A field for a new password. */
export function passwordField(label: Content, name: string, hasError: boolean): Html {
  const { min, max } = PASSWORD_LENGTH;
  return html`<label>
    ${label}
    <input
      name="${name}"
      type="password"
      autocomplete="new-password"
      required
      minlength="${min}"
      maxlength="${max}"
      ${hasError && html`aria-describedby="error" aria-invalid="true"`}
    />
  </label>`;
}

/** Returns the sentence for why a new password is refused; null: it is not. */
export function passwordErrorText({ link }: ConsolePhrases["signIn"], error: PasswordError | null): string | null {
  const { min, max } = PASSWORD_LENGTH;
  const texts = { short: link.errors.short(min), long: link.errors.long(max), different: link.errors.different };
  return error && texts[error];
}

/** The page of a link that was used or has ended. */
export function goneLinkPage(frame: ConsoleFrame): PageDocument {
  const { gone } = frame.language.phrases.signIn.link;
  return plainPage(frame, { title: gone.title, main: html`<p class="lead">${gone.text}</p>` });
}

/** The page of somebody whom the other provider did not confirm. */
export function providerFailedPage(frame: ConsoleFrame): PageDocument {
  const { providerFailed, title } = frame.language.phrases.signIn;
  const back = html`<p><a href="${frame.basePath}/console/sign-in">${title}</a></p>`;
  return plainPage(frame, {
    title: providerFailed.title,
    main: html`<p class="lead">${providerFailed.text}</p>
      ${back}`,
  });
}
