import { problemExample } from "../../http/problem-example.ts";
import { PROBLEMS } from "../../problem-types.ts";
import type { ProblemName } from "../../problem-types.ts";
import { pageDocument } from "../../html/document.ts";
import type { Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";

/** Creates the list of all problem types. */
export function problemsPage(frame: Frame): PageDocument {
  return pageDocument(frame, {
    title: "Problems",
    brand: null,
    main: html`<h1>Problems</h1>
      <p class="lead">
        Every error response is a problem document (RFC 9457). Its <code>type</code> links to one of these pages.
      </p>
      <ul class="links">
        ${Object.values(PROBLEMS).map(
          ({ slug, status, title }) =>
            html`<li>
              <a href="${frame.basePath}/problems/${slug}">${title}</a> <span class="hint">${status}</span>
            </li>`,
        )}
      </ul>`,
  });
}

/** Creates the page of a problem: its meaning and what to do; null for an unknown slug. */
export function problemPage(frame: Frame, slug: string, publicUrl: string): PageDocument | null {
  const name = (Object.keys(PROBLEMS) as ProblemName[]).find((candidate) => PROBLEMS[candidate].slug === slug);
  if (!name) return null;
  const problem = PROBLEMS[name];
  return pageDocument(frame, {
    title: problem.title,
    brand: null,
    main: html`<h1>${problem.title}</h1>
      <dl class="facts">
        <div>
          <dt>Status</dt>
          <dd>${problem.status}</dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd><code>${problem.code}</code></dd>
        </div>
      </dl>
      <h2>What it means</h2>
      <p>${problem.meaning}</p>
      <h2>What to do</h2>
      <p>${problem.remedy}</p>
      <h2>Example</h2>
      <pre tabindex="0"><code>${JSON.stringify(problemExample(publicUrl, name), null, 2)}</code></pre>
      <p class="links"><a href="${frame.basePath}/problems">All problems</a></p>`,
  });
}
