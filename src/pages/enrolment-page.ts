import type { Enrollment } from "../users/schema.ts";
import { htmlDocument } from "./document.ts";
import type { Brand, Frame } from "./document.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** The consent page: who asks, what is shared and why, and two buttons of the same weight. */
export function enrolmentPage(
  frame: Frame,
  page: { brand: Brand; enrollment: Enrollment; action: string; isUndecided: boolean },
): Html {
  const { consent, enrolment } = frame.language.phrases;
  const app = page.brand.name;
  return htmlDocument(frame, {
    title: enrolment.title(app),
    brand: page.brand,
    main: html`<h1>${enrolment.title(app)}</h1>
      <p class="lead">${consent.intro(app)}</p>
      <h2>${consent.sharedTitle}</h2>
      <ul>
        ${consent.shared.map((line) => html`<li>${line}</li>`)}
      </ul>
      <h2>${consent.purposeTitle}</h2>
      <ul>
        ${consent.purposes(app).map((line) => html`<li>${line}</li>`)}
      </ul>
      <h2>${enrolment.yourData}</h2>
      <dl class="facts">${personFacts(frame, page.enrollment)}</dl>
      <p class="hint">${enrolment.correct(app)}</p>
      <h2>${consent.choiceTitle}</h2>
      <p>${consent.choice(app)}</p>
      <form method="post" action="${page.action}" class="choice">
        ${page.isUndecided && html`<p class="fault" role="alert">${enrolment.undecided}</p>`}
        <button name="decision" value="accept">${enrolment.accept}</button>
        <button name="decision" value="decline">${enrolment.decline}</button>
      </form>`,
  });
}

/** What the application sent about the person, as far as it was sent. */
function personFacts(frame: Frame, enrollment: Enrollment): Html[] {
  const { fields } = frame.language.phrases.enrolment;
  const facts: [string, string | undefined][] = [
    [fields.name, `${enrollment.firstName} ${enrollment.lastName}`],
    [fields.email, enrollment.email],
    [fields.imageUrl, enrollment.imageUrl],
    [fields.country, enrollment.country],
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
