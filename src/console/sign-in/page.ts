import { html } from "../../html/html.ts";
import type { Content } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { plainPage } from "../page.ts";
import type { ConsoleFrame } from "../page.ts";
import { PASSWORD_LENGTH } from "../password.ts";

/** Why a new password is refused. */
export type PasswordError = "short" | "long" | "different";

/** The page to sign in at; `isWrong` after a failed attempt, with the address typed then. */
export function signInPage(
  frame: ConsoleFrame,
  { email, next, isWrong }: { email: string; next: string; isWrong: boolean },
): PageDocument {
  const { signIn } = frame.language.phrases;
  return plainPage(frame, {
    title: signIn.title,
    main: html`<form method="post" action="${frame.basePath}/console/sign-in">
        ${isWrong && html`<p class="error" role="alert" id="wrong">${signIn.wrong}</p>`}
        <input type="hidden" name="next" value="${next}" />
        <label>
          ${signIn.email}
          <input
            name="email"
            type="email"
            value="${email}"
            autocomplete="username webauthn"
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

/** The page of a one-time link, where a password is chosen. */
export function linkPage(
  frame: ConsoleFrame,
  { token, name, email, error }: { token: string; name: string; email: string; error: PasswordError | null },
): PageDocument {
  const { link, email: emailLabel } = frame.language.phrases.signIn;
  const { min, max } = PASSWORD_LENGTH;
  const messages: Record<PasswordError, string> = {
    short: link.errors.short(min),
    long: link.errors.long(max),
    different: link.errors.different,
  };
  const field = (label: string, fieldName: string): Content =>
    html`<label>
      ${label}
      <input
        name="${fieldName}"
        type="password"
        autocomplete="new-password"
        required
        minlength="${min}"
        maxlength="${max}"
        aria-describedby="${error === null ? "hint" : "error hint"}"
      />
    </label>`;
  return plainPage(frame, {
    title: link.title(name),
    main: html`<p class="lead">${link.text}</p>
      <form method="post" action="${frame.basePath}/console/link">
        ${error !== null && html`<p class="error" role="alert" id="error">${messages[error]}</p>`}
        <input type="hidden" name="token" value="${token}" />
        <label>${emailLabel} <input type="email" value="${email}" autocomplete="username" readonly /></label>
        ${field(link.newPassword, "password")} ${field(link.repeat, "repeated")}
        <p class="hint" id="hint">${link.hint(min)}</p>
        <button>${link.submit}</button>
      </form>`,
  });
}

/** The page of a link that was used or has ended. */
export function goneLinkPage(frame: ConsoleFrame): PageDocument {
  const { gone } = frame.language.phrases.signIn.link;
  return plainPage(frame, { title: gone.title, main: html`<p class="lead">${gone.text}</p>` });
}
