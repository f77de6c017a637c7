import { pageDocument } from "../../html/document.ts";
import type { Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";

/** The path that opens samples of the hosted pages, and the form field with the page. */
export const SAMPLES_PATH = "/samples";
export const SAMPLE_FIELD = "page";

/** The content of the page. `samples.application`: the application whose samples can be opened; null: none. */
export interface Service {
  readonly version: string;
  readonly publicUrl: string;
  readonly hostedPagesUrl: string;
  readonly samples: { readonly areAllowed: boolean; readonly application: string | null };
  /** Paths of other pages, with link texts. */
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

/** Creates the page for the person who has just started the service: it runs, and what to do next. */
export function landingPage(frame: Frame, service: Service): PageDocument {
  const { version, publicUrl, hostedPagesUrl, samples, links } = service;
  return pageDocument(frame, {
    title: "Rewards Service",
    brand: null,
    redirectUri: samples.areAllowed ? hostedPagesUrl : null,
    main: html`<p class="kicker">Rewards Service ${version}</p>
      <h1>It is running</h1>
      <p class="lead">at <code>${publicUrl}</code></p>
      ${samples.areAllowed && samplesSection(frame, samples.application)}
      <h2>First steps</h2>
      <p>Every call carries the credentials of an application. Make one; its secret is shown this once:</p>
      <pre><code>npm run --silent cli -- app create --name "My app" --sandbox</code></pre>
      <p>Then enrol a user with what it printed:</p>
      <pre><code>curl "${publicUrl}/users/enroll?api-version=1.0" \\
-H "x-client-id: $CLIENT_ID" \\
-H "x-client-secret: $CLIENT_SECRET" \\
-H "content-type: application/json" \\
-d '{"email":"ada@example.com","firstName":"Ada","lastName":"Lovelace"}'</code></pre>
      <h2>More</h2>
      <ul class="links">
        ${links.map(({ path, text }) => html`<li><a href="${`${frame.basePath}${path}`}">${text}</a></li>`)}
      </ul>`,
  });
}

function samplesSection(frame: Frame, application: string | null): Html {
  if (application === null) {
    return html`<h2>See the hosted pages</h2>
      <p>Make a sandbox application, as below, and load this page again: it then opens each of them for you.</p>`;
  }
  const button = (page: string, text: string) =>
    html`<button name="${SAMPLE_FIELD}" value="${page}" class="quiet">${text}</button>`;
  return html`<h2>See the hosted pages</h2>
    <p>
      Each opens with a sample session of <bdi>${application}</bdi>, for a person who doesn’t exist. Uploads are really
      read, and their events are sent to that sandbox application’s webhooks.
    </p>
    <form method="post" action="${`${frame.basePath}${SAMPLES_PATH}`}" class="choice">
      ${button("enrolment", "Open the consent page")} ${button("receipt", "Open the receipt page")}
    </form>`;
}
