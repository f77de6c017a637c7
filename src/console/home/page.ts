import { html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { SECTIONS, consolePage } from "../page.ts";
import type { Section, View } from "../page.ts";

/** Lists the applications that the person may see, each with a link to its first section. */
export function homePage(view: View): PageDocument {
  const { home, shell } = view.language.phrases;
  const first = (Object.keys(SECTIONS) as Section[]).find((section) => view.sections.has(section)) ?? "overview";
  const isOperator = view.user.grants.some(({ role }) => role === "operator");
  const list = html`<ul class="cards">
    ${view.applications.map(
      ({ id, name, isSandbox, isSuspended }) =>
        html`<li class="card">
          <a href="${view.basePath}/console/${id}/${first}"><bdi>${name}</bdi></a>
          ${isSandbox && html`<span class="badge sandbox">${shell.sandbox}</span>`}
          ${isSuspended && html`<span class="badge warning">${shell.suspended}</span>`}
        </li>`,
    )}
  </ul>`;
  const none = isOperator
    ? html`<p class="lead">${home.noneAtAll}</p>
        <pre><code>npm run cli -- app create --name "My app" --sandbox</code></pre>`
    : html`<p class="lead">${home.none}</p>`;
  return consolePage(view, { title: home.title, section: null, main: view.applications.length > 0 ? list : none });
}
