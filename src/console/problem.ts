import { html } from "../html/html.ts";
import type { Html } from "../html/html.ts";
import type { CallResponse } from "../http/call-as.ts";

/** Why the API refused a change, as a form shows it. */
export interface ShownProblem {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  /** Messages by the member that they are about. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** Returns the problem of a response; null for a success. */
export function problemIn({ status, body }: CallResponse): ShownProblem | null {
  if (status < 400) return null;
  const { title = "", detail = "", code = "", errors = {} } = (body ?? {}) as Partial<ShownProblem>;
  return { title, detail, code, errors };
}

/** Shows a problem above its form; fields refer to it by its id `problem`. */
export function problemBox(problem: ShownProblem | null): Html | null {
  if (!problem) return null;
  const errors = Object.entries(problem.errors);
  // The API's words are in English; a problem without a code has ours.
  return html`<div class="error" role="alert" id="problem" ${problem.code !== "" && html`lang="en"`} dir="auto">
    <strong>${problem.title}.</strong> ${problem.detail}
    ${
      errors.length > 0 &&
      html`<ul>
        ${errors.map(([member, messages]) => html`<li><code>${member}</code> ${messages.join("; ")}</li>`)}
      </ul>`
    }
  </div>`;
}

/** The attributes of a field that a problem is about. */
export function fieldState(problem: ShownProblem | null, member: string): Html | null {
  const isWrong = problem !== null && Object.keys(problem.errors).some((each) => each.split(/[[.]/, 1)[0] === member);
  return isWrong ? html`aria-invalid="true" aria-describedby="problem"` : null;
}

/** Says that a change is done; `words` by the key in the address, so that nobody can put other text there. */
export function doneNotice(words: Readonly<Record<string, string>>, key: string | null): Html | null {
  if (key === null || !Object.hasOwn(words, key)) return null;
  return html`<p class="notice" role="status">${words[key]!}</p>`;
}
