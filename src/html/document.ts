import { html, raw } from "./html.ts";
import type { Content, Html } from "./html.ts";
import { LANGUAGES } from "./language.ts";
import type { Language } from "./language.ts";
import { accentStyle } from "./style.ts";
import type { StyleSheet } from "./style.ts";

/** What pages are made of beside their words. */
export interface Assets {
  /** Of every page. */
  readonly style: StyleSheet;
  /** Of the receipt's pages. */
  readonly receiptStyle: StyleSheet;
  /** The folder of the scripts below the hosted pages' address; a hash of them all stands in it, so that they may be cached for ever. */
  readonly scriptsUrl: string;
}

/** What every page is put into. */
export interface Frame {
  readonly assets: Assets;
  /** Path before every path of ours, where the hosted pages don't live at the root of their host; else empty. */
  readonly basePath: string;
  readonly language: Language;
}

/** Whose page it is: the application as its users know it. */
export interface Brand {
  readonly name: string;
  /** An https address, or null. */
  readonly logoUrl: string | null;
  /** `#rrggbb`; null: ours. */
  readonly accentColour: string | null;
}

/** A finished page and the content security policy it is to be sent with. */
export interface PageDocument {
  readonly html: Html;
  readonly policy: string;
}

/** What a page says and holds. */
export interface PageContent {
  readonly title: string;
  /** Null on pages that belong to no application. */
  readonly brand: Brand | null;
  readonly main: Content;
  /** Beyond that of every page. */
  readonly styles?: readonly StyleSheet[];
  /** Names of scripts in the folder of scripts: the first is run, and imports the others. */
  readonly scripts?: readonly string[];
  /** Where a form on it, or its answer, may lead beside ourselves. */
  readonly redirectUri?: string | null;
  /** This page's address without a language, for the switch; left out: there is none. */
  readonly address?: string;
}

/** A whole document. */
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
  return { html: document, policy: contentSecurityPolicy({ styles, logoUrl, redirectUri: page.redirectUri ?? null }) };
}

function brandHeader(brand: Brand, languages: Html | null): Html {
  // The name stands beside it, so the logo itself says nothing to a screen reader.
  const logo =
    brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" width="44" height="44" referrerpolicy="no-referrer" />`;
  return html`<header class="brand">${logo}<bdi>${brand.name}</bdi>${languages}</header>`;
}

/** The languages as links to this page in each of them; without script, and without anything to remember. */
function languageSwitch({ phrases }: Language, address: string): Html {
  const isCurrent = (tag: string) => tag === phrases.tag && html`aria-current="true"`;
  return html`<details class="languages">
    <summary><span class="unseen">${phrases.languages}: </span>${phrases.name}</summary>
    <nav aria-label="${phrases.languages}">
      ${LANGUAGES.map(
        ({ tag, name }) =>
          html`<a href="${`${address}&lang=${tag}`}" lang="${tag}" hreflang="${tag}" ${isCurrent(tag)}>${name}</a>`,
      )}
    </nav>
  </details>`;
}

/** An address of ours, with a query already, in the language that was chosen on the page. */
export function addressIn({ language }: Frame, address: string): string {
  return language.isChosen ? `${address}&lang=${language.phrases.tag}` : address;
}

/** A page of one heading and one sentence. */
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
 * The content security policy of a page: nothing inline but the stylesheets that are meant, nothing foreign but the
 * application's logo. `redirectUri` is where a form's answer may lead, since Chromium holds the redirects after a form
 * to `form-action`.
 */
export function contentSecurityPolicy(allow: {
  styles: readonly StyleSheet[];
  logoUrl: string | null;
  redirectUri: string | null;
}): string {
  const logo = allow.logoUrl === null ? "" : ` ${new URL(allow.logoUrl).origin}`;
  // The scheme and not the host: the application's own address may lead on (to www, to a log-in), and is held to it too.
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
