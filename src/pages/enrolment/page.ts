import type { Enrollment } from "../../users/schema.ts";
import { addressIn, pageDocument } from "../../html/document.ts";
import type { Brand, Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { nameWithin } from "../../html/language.ts";

/** Creates the consent page: who asks, what is shared and why, and two buttons of equal weight. */
export function enrolmentPage(
  frame: Frame,
  page: {
    brand: Brand;
    enrollment: Enrollment;
    address: string;
    redirectUri: string | null;
    isUndecided: boolean;
  },
): PageDocument {
  const { consent, enrolment } = frame.language.phrases;
  const app = nameWithin(frame.language, page.brand.name);
  return pageDocument(frame, {
    title: enrolment.title(app),
    brand: page.brand,
    redirectUri: page.redirectUri,
    address: page.address,
    main: html`<h1>${enrolment.title(app)}</h1>
      <p class="lead">${consent.intro(app)}</p>
      <h2>${consent.sharedTitle}</h2>
      <ul>
        ${consent.shared.map((line) => html`<li>${line}</li>`)}
      </ul>
      <h2>${enrolment.yourData}</h2>
      <dl class="facts">${personFacts(frame, page.enrollment)}</dl>
      <p class="hint">${enrolment.correct(app)}</p>
      <h2>${consent.purposeTitle}</h2>
      <ul>
        ${consent.purposes(app).map((line) => html`<li>${line}</li>`)}
      </ul>
      <h2>${consent.choiceTitle}</h2>
      <p>${consent.choice(app)}</p>
      <form method="post" action="${addressIn(frame, page.address)}" class="choice">
        ${page.isUndecided && html`<p class="error" role="alert" id="undecided">${enrolment.undecided}</p>`}
        ${decisionButton("accept", enrolment.accept, page.isUndecided)}
        ${decisionButton("decline", enrolment.decline, page.isUndecided)}
      </form>`,
  });
}

function decisionButton(decision: "accept" | "decline", text: string, isUndecided: boolean): Html {
  const described = isUndecided && html`aria-describedby="undecided"`;
  return html`<button name="decision" value="${decision}" ${described}>${text}</button>`;
}

/** The data that the application sent about the person. */
function personFacts(frame: Frame, enrollment: Enrollment): Html[] {
  const { fields } = frame.language.phrases.enrolment;
  const facts: [string, string | undefined][] = [
    [fields.name, `${enrollment.firstName} ${enrollment.lastName}`],
    [fields.email, enrollment.email],
    [fields.imageUrl, enrollment.imageUrl],
    [fields.country, countryName(frame.language.locale, enrollment.country)],
    [fields.city, enrollment.city],
    [fields.postalCode, enrollment.postalCode],
  ];
  return facts
    .filter(([, value]) => value?.trim())
    .map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd><bdi>${value ?? ""}</bdi></dd>
        </div>`,
    );
}

/** Returns the name of a country code; any other text unchanged. */
function countryName(locale: string, country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Za-z]{2}$/.test(country)) return country;
  return new Intl.DisplayNames(locale, { type: "region" }).of(country.toUpperCase());
}
