import { html, raw } from "./html.ts";
import type { Content, Html } from "./html.ts";
import { LANGUAGES } from "./language.ts";
import type { Language } from "./language.ts";
import { accentStyle } from "./style.ts";
import type { StyleSheet } from "./style.ts";

/** The parts of pages beside their texts. */
export interface Assets {
  /** The stylesheet of all pages. */
  readonly style: StyleSheet;
  /** The additional stylesheet of the receipt's pages. */
  readonly receiptStyle: StyleSheet;
  /** That of a receipt's progress and result. */
  readonly progressStyle: StyleSheet;
  /** The additional stylesheet of the pages for reporting what is wrong. */
  readonly disputeStyle: StyleSheet;
  /** The folder of the scripts, with a hash of them all in its name, so that they can be cached forever. */
  readonly scriptsUrl: string;
}

/** The parts that all pages share. */
export interface Frame {
  readonly assets: Assets;
  /** Path before all our paths, if the hosted pages are not at the root of their host; else empty. */
  readonly basePath: string;
  readonly language: Language;
}

/** The application of a page, as its users know it. */
export interface Brand {
  readonly name: string;
  /** An https address, or null. */
  readonly logoUrl: string | null;
  /** `#rrggbb`; null: the service's own colour. */
  readonly accentColour: string | null;
}

/** A finished page with its content security policy. */
export interface PageDocument {
  readonly html: Html;
  readonly policy: string;
}

/** The content of a page. */
export interface PageContent {
  readonly title: string;
  /** Null on pages that belong to no application. */
  readonly brand: Brand | null;
  readonly main: Content;
  /** Additional stylesheets. */
  readonly styles?: readonly StyleSheet[];
  /** Stylesheets of the page that the script puts in its place: allowed, and not sent with this one. */
  readonly laterStyles?: readonly StyleSheet[];
  /** Names of scripts in the folder of scripts: the first one runs and imports the others. */
  readonly scripts?: readonly string[];
  /** The other address that a form on the page, or its response, can redirect to. */
  readonly redirectUri?: string | null;
  /** The page's address without a language, for the language switch; without it the page has no switch. */
  readonly address?: string;
}

/** Creates a whole document. */
export function pageDocument(frame: Frame, page: PageContent): PageDocument {
  const { phrases } = frame.language;
  const { brand } = page;
  const accent = brand?.accentColour ? [accentStyle(brand.accentColour)] : [];
  const styles = [frame.assets.style, ...(page.styles ?? []), ...accent];
  const [script, ...imported] = (page.scripts ?? []).map((name) => `${frame.assets.scriptsUrl}/${name}`);
  const document = html`<!doctype html>
    <html lang="${phrases.tag}" dir="${phrases.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        ${styles.map(({ css }) => raw(`<style>${css}</style>`))}
        ${script ? html`<script type="module" src="${script}"></script>` : null}
        ${imported.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
      </head>
      <body>
        ${brand && brandHeader(brand, page.address ? languageSwitch(frame.language, page.address) : null)}
        <main id="main">${page.main}</main>
      </body>
    </html> `;
  const logoUrl = brand?.logoUrl ?? null;
  const allowed = [...styles, ...(page.laterStyles ?? [])];
  const policy = contentSecurityPolicy({ styles: allowed, logoUrl, redirectUri: page.redirectUri ?? null });
  return { html: document, policy };
}

function brandHeader(brand: Brand, languages: Html | null): Html {
  // The name is beside it, so the logo has an empty text for screen readers.
  const logo =
    brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" width="44" height="44" referrerpolicy="no-referrer" />`;
  return html`<header class="brand">${logo}<bdi>${brand.name}</bdi>${languages}</header>`;
}

/** Links to this page in each language; needs neither script nor a cookie. */
function languageSwitch({ phrases }: Language, address: string): Html {
  // An address is a hundred bytes of the first 15,000: none for the language that is shown, and no `hreflang`.
  const target = (tag: string) =>
    tag === phrases.tag ? html`aria-current="true"` : html`href="${`${address}&lang=${tag}`}"`;
  return html`<details class="languages">
    <summary><span class="visually-hidden">${phrases.languages}: </span>${phrases.name}</summary>
    <nav aria-label="${phrases.languages}">
      ${LANGUAGES.map(({ tag, name }) => html`<a lang="${tag}" ${target(tag)}>${name}</a>`)}
    </nav>
  </details>`;
}

/** Adds the language chosen on the page to one of our addresses, which already has a query. */
export function addressIn({ language }: Frame, address: string): string {
  return language.isChosen ? `${address}&lang=${language.phrases.tag}` : address;
}

/** Creates a page with one heading and one sentence. */
export function messagePage(
  frame: Frame,
  message: { title: string; text: string; brand: Brand | null; more?: Content },
): PageDocument {
  return pageDocument(frame, {
    title: message.title,
    brand: message.brand,
    main: html`<h1>${message.title}</h1>
      <p class="lead">${message.text}</p>
      ${message.more ?? null}`,
  });
}

/**
 * Returns the content security policy of a page: nothing inline but the given stylesheets, nothing foreign but the
 * application's logo. `redirectUri` is the address that a form's response can redirect to, since Chromium checks
 * redirects after a form against `form-action`.
 */
export function contentSecurityPolicy(allow: {
  styles: readonly StyleSheet[];
  logoUrl: string | null;
  redirectUri: string | null;
}): string {
  const logo = allow.logoUrl === null ? "" : ` ${new URL(allow.logoUrl).origin}`;
  // The scheme and not the host: the application's address may redirect (to www, to a login), which is checked too.
  const target = allow.redirectUri === null ? "" : ` ${new URL(allow.redirectUri).protocol}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${allow.styles.map(({ source }) => source).join(" ")}`,
    `img-src 'self' data: blob:${logo}`,
    "connect-src 'self'",
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
