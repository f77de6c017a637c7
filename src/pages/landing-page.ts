import { PROBLEMS } from "../problems.ts";
import { htmlDocument } from "./document.ts";
import type { Frame } from "./document.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** For the one who just started the service: that it runs, and what to do next. */
export function landingPage(frame: Frame, service: { version: string; publicUrl: string }): Html {
  return htmlDocument(frame, {
    title: "Rewards Service",
    brand: null,
    main: html`<h1>The rewards service is running</h1>
      <p class="lead">Version ${service.version}, at <code>${service.publicUrl}</code></p>
      <h2>First steps</h2>
      <p>Every call carries the credentials of an application. Make one; its secret is shown once:</p>
      <pre><code>npm run --silent cli -- app create --name "My app" --sandbox --json</code></pre>
      <p>Then enrol a user with what it printed:</p>
      <pre><code>curl "${service.publicUrl}/users/enroll?api-version=1.0" \\
  -H "x-client-id: $CLIENT_ID" -H "x-client-secret: $CLIENT_SECRET" \\
  -H "content-type: application/json" \\
  -d '{"email":"ada@example.com","firstName":"Ada","lastName":"Lovelace"}'</code></pre>
      <h2>More</h2>
      <ul>
        <li><a href="${frame.basePath}/health/ready">Health</a></li>
        <li><a href="${frame.basePath}/problems">Every problem that a call may be answered with</a></li>
      </ul>`,
  });
}

/** The list of all problem types. */
export function problemsPage(frame: Frame): Html {
  return htmlDocument(frame, {
    title: "Problems",
    brand: null,
    main: html`<h1>Problems</h1>
      <p class="lead">
        Every error is answered with a problem document (RFC 9457). Its <code>type</code> leads to one of these pages.
      </p>
      <ul>
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
export function problemPage(frame: Frame, slug: string): Html | null {
  const problem = Object.values(PROBLEMS).find((candidate) => candidate.slug === slug);
  if (!problem) return null;
  return htmlDocument(frame, {
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
      <p><a href="${frame.basePath}/problems">All problems</a></p>`,
  });
}
