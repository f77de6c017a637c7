import { problemExample } from "../../http/problem-example.ts";
import { PROBLEMS } from "../../problems.ts";
import type { ProblemName } from "../../problems.ts";
import { pageDocument } from "../../html/document.ts";
import type { Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";

/** The list of all problem types. */
export function problemsPage(frame: Frame): PageDocument {
  return pageDocument(frame, {
    title: "Problems",
    brand: null,
    main: html`<h1>Problems</h1>
      <p class="lead">
        Every error is answered with a problem document (RFC 9457). Its <code>type</code> leads to one of these pages.
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

/** What one problem means and what to do about it; null when the slug names none. */
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
