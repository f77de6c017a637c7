import { html } from "../html/html.ts";
import type { Content, Html } from "../html/html.ts";
import type { PageDocument } from "../html/document.ts";
import { badge } from "./elements.ts";
import type { ListedApplications, ShownApplication } from "./applications.store.ts";
import { CONSOLE_LANGUAGES } from "./language.ts";
import type { ConsoleLanguage } from "./language.ts";
import { rightsIn } from "./roles.ts";
import type { Right } from "./roles.ts";
import type { ConsoleUser } from "./users.store.ts";

/** The parts of the console that the menu names, in its order, with the right that shows them. */
export const SECTIONS = {
  overview: "see",
  receipts: "see",
  review: "review",
  names: "see",
  people: "see",
  programme: "see",
  rewards: "see",
  developers: "see",
} as const satisfies Record<string, Right>;
export type Section = keyof typeof SECTIONS;

/** The parts that belong to no application. */
export const SERVICE_SECTIONS = { team: "operate", audit: "operate" } as const satisfies Record<string, Right>;
export type ServiceSection = keyof typeof SERVICE_SECTIONS;

/** What every page needs to be drawn, before anybody has signed in too. */
export interface ConsoleFrame {
  /** Path before all our paths; empty at the root of the host. */
  readonly basePath: string;
  /** The folder of styles and scripts, with a hash of them all in its name. */
  readonly assetsUrl: string;
  /** Origins that pictures may come from, beside the console's own. */
  readonly pictureOrigins: readonly string[];
  readonly language: ConsoleLanguage;
}

/** What a page needs that is shown to somebody who is signed in. */
export interface View extends ConsoleFrame {
  readonly user: ConsoleUser;
  /** The application of the address; null on pages that belong to none. */
  readonly application: ShownApplication | null;
  /** Those to switch to from a page of an application: some of what the person may see. */
  readonly applications: ListedApplications;
  /** In the application, or for all applications where there is none. */
  readonly rights: ReadonlySet<Right>;
  /** The token of forms. */
  readonly formToken: string;
  /** Path and query of the request, without the base path. */
  readonly path: string;
}

/** The content of a page. */
export interface ConsolePage {
  readonly title: string;
  readonly section: Section | ServiceSection | null;
  readonly main: Content;
  /** Names of scripts in `assets`: the page works without them. */
  readonly scripts?: readonly string[];
  /** Names of further stylesheets in `assets`. */
  readonly styles?: readonly string[];
  /** Without the margins of a text: tables, pictures side by side. */
  readonly isWide?: boolean;
}

/** Returns the address of a section of the page's application, with a path below it and a query. */
export function addressOf(
  view: Pick<View, "basePath" | "application">,
  section: Section,
  below = "",
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(query).toString();
  return `${view.basePath}/console/${view.application?.id}/${section}${below}${search && `?${search}`}`;
}

/** Creates a page for somebody who is signed in: the frame with menu, application and person around its content. */
export function consolePage(view: View, page: ConsolePage): PageDocument {
  const { shell } = view.language.phrases;
  const { application } = view;
  const body = html`<a class="skip" href="#main">${shell.skip}</a>
    <header class="top">
      <a class="product" href="${view.basePath}/console">${shell.product}</a>
      ${applicationSwitch(view, page.section)}
      <div class="person">
        ${languageForm(view)}
        <a class="button quiet" href="${view.basePath}/console/account">${shell.account}</a>
        ${signOutForm(view)}
      </div>
      ${application?.isSandbox ? html`<p class="sandbox-strip">${shell.sandboxHint}</p>` : null}
    </header>
    <div class="columns">
      ${menu(view, page.section)}
      <main id="main" tabindex="-1">
        <h1><bdi>${page.title}</bdi></h1>
        ${page.main}
      </main>
    </div>`;
  const kind = [application?.isSandbox && "sandbox", page.isWide && "wide"].filter(Boolean).join(" ");
  const name = application ? `${page.title} · ${application.name}` : page.title;
  return documentOf(view, { ...page, title: `${name} · ${shell.product}`, body, kind });
}

/** Creates a page for somebody who is not signed in: one column without a menu. */
export function plainPage(frame: ConsoleFrame, page: Omit<ConsolePage, "section">): PageDocument {
  const { shell } = frame.language.phrases;
  const body = html`<main id="main" class="plain">
    <p class="product">${shell.product}</p>
    <h1><bdi>${page.title}</bdi></h1>
    ${page.main}
  </main>`;
  return documentOf(frame, { ...page, title: `${page.title} · ${shell.product}`, body, kind: "" });
}

/** Creates a form that changes something: it carries the token that no other site knows. */
export function postForm(view: View, action: string, content: Content, label?: string, id?: string): Html {
  const named = label ? html`aria-label="${label}"` : null;
  return html`<form method="post" action="${action}" ${named} ${id ? html`id="${id}"` : null}>
    <input type="hidden" name="formToken" value="${view.formToken}" />
    ${content}
  </form>`;
}

function documentOf(
  frame: ConsoleFrame,
  page: Pick<ConsolePage, "title" | "scripts" | "styles"> & { body: Html; kind: string },
): PageDocument {
  const { language, assetsUrl } = frame;
  const styles = ["console.css", ...(page.styles ?? [])];
  const document = html`<!doctype html>
    <html lang="${language.phrases.tag}" dir="${language.phrases.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        ${styles.map((name) => html`<link rel="stylesheet" href="${assetsUrl}/${name}" />`)}
        ${(page.scripts ?? []).map((name) => html`<script type="module" src="${assetsUrl}/${name}"></script>`)}
      </head>
      <body class="${page.kind}">
        ${page.body}
      </body>
    </html> `;
  return { html: document, policy: policyOf(frame) };
}

/**
 * Nothing inline but attributes of drawn charts, nothing foreign but pictures of receipts; no other site may frame the
 * console. Style attributes cannot be chosen by anybody: all text from outside is escaped.
 */
function policyOf({ pictureOrigins }: ConsoleFrame): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src ${["'self'", "data:", ...pictureOrigins].join(" ")}`,
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

function menu(view: View, current: ConsolePage["section"]): Html | null {
  const { shell } = view.language.phrases;
  const own = view.application
    ? (Object.keys(SECTIONS) as Section[])
        .filter((section) => view.rights.has(SECTIONS[section]))
        .map((section) => ({ section, address: addressOf(view, section) }))
    : [];
  const rightsForAll = rightsIn(view.user.grants, null);
  const service = (Object.keys(SERVICE_SECTIONS) as ServiceSection[])
    .filter((section) => rightsForAll.has(SERVICE_SECTIONS[section]))
    .map((section) => ({ section, address: `${view.basePath}/console/${section}` }));
  const links = [...own, ...service].map(({ section, address }) => {
    const isCurrent = section === current && html`aria-current="page"`;
    return html`<li><a href="${address}" ${isCurrent}>${shell.sections[section]}</a></li>`;
  });
  if (links.length === 0) return null;
  return html`<nav class="menu" aria-label="${shell.menu}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

/** What is special about an application: who sees that it is closed need not read that it is suspended as well. */
export function stateBadges({ language }: View, { isSandbox, isSuspended, isClosed }: ShownApplication): Html {
  const { shell } = language.phrases;
  return html`${isSandbox && badge(shell.sandbox, "sandbox")}
  ${isClosed ? badge(shell.closed, "warning") : isSuspended && badge(shell.suspended, "warning")}`;
}

/** Applications as links to the same section. The first page has those that have no room here. */
function applicationSwitch(view: View, section: ConsolePage["section"]): Html | null {
  const { shell, home } = view.language.phrases;
  const { application, applications, basePath } = view;
  if (!application) return null;
  const target = section !== null && section in SECTIONS ? section : "overview";
  return html`<details class="switch">
    <summary>
      <span class="visually-hidden">${shell.applications}: </span><bdi>${application.name}</bdi>
      ${stateBadges(view, application)}
    </summary>
    <ul>
      ${applications.shown.map(
        ({ id, name, isSandbox }) =>
          html`<li>
            <a href="${basePath}/console/${id}/${target}" ${id === application.id && html`aria-current="true"`}>
              <bdi>${name}</bdi> ${isSandbox && badge(shell.sandbox, "sandbox")}
            </a>
          </li>`,
      )}
      ${applications.hasMore && html`<li><a href="${basePath}/console">${home.title}</a></li>`}
    </ul>
  </details>`;
}

function languageForm(view: View): Html | null {
  const { phrases } = view.language;
  if (CONSOLE_LANGUAGES.length < 2) return null;
  const buttons = CONSOLE_LANGUAGES.map(
    ({ tag, name }) =>
      html`<button name="language" value="${tag}" lang="${tag}" ${tag === phrases.tag && html`aria-current="true"`}>
        ${name}
      </button>`,
  );
  return html`<details class="switch">
    <summary><span class="visually-hidden">${phrases.shell.language}: </span>${phrases.name}</summary>
    ${postForm(
      view,
      `${view.basePath}/console/language`,
      html`<input type="hidden" name="next" value="${view.path}" />${buttons}`,
    )}
  </details>`;
}

function signOutForm(view: View): Html {
  const { shell } = view.language.phrases;
  const button = html`<button class="quiet" title="${shell.signedInAs(view.user.name)}">${shell.signOut}</button>`;
  return postForm(view, `${view.basePath}/console/sign-out`, button);
}
