import { html } from "./html.ts";
import type { Content, Html } from "./html.ts";
import type { Language } from "./language.ts";

/** Addresses of what pages load from us, each with a hash of its content so that it may be cached for ever. */
export interface Assets {
  readonly style: string;
  readonly receiptScript: string;
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
}

/** A whole document. `brand` is null on pages that belong to no application. */
export function htmlDocument(
  frame: Frame,
  page: { title: string; brand: Brand | null; head?: Content; main: Content },
): Html {
  const { phrases } = frame.language;
  return html`<!doctype html>
    <html lang="${phrases.tag}" dir="${phrases.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        <link rel="stylesheet" href="${frame.assets.style}" />
        ${page.head ?? null}
      </head>
      <body>
        ${page.brand && brandHeader(page.brand)}
        <main id="main">${page.main}</main>
      </body>
    </html> `;
}

function brandHeader(brand: Brand): Html {
  // The name stands beside it, so the logo itself says nothing to a screen reader.
  const logo = brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" height="48" referrerpolicy="no-referrer" />`;
  return html`<header class="brand">${logo}<bdi>${brand.name}</bdi></header>`;
}

/** A page of one heading and one sentence. */
export function messagePage(
  frame: Frame,
  message: { title: string; text: string; brand: Brand | null; more?: Content },
): Html {
  return htmlDocument(frame, {
    title: message.title,
    brand: message.brand,
    main: html`<h1>${message.title}</h1>
      <p>${message.text}</p>
      ${message.more ?? null}`,
  });
}

/**
 * The content security policy of a page: nothing inline, nothing foreign but the application's logo.
 * `redirectUri` is where a form's answer may lead, since Chromium holds the redirects after a form to `form-action`.
 */
export function contentSecurityPolicy(allow: { logoUrl: string | null; redirectUri: string | null }): string {
  const logo = allow.logoUrl === null ? "" : ` ${new URL(allow.logoUrl).origin}`;
  // The scheme and not the host: the application's own address may lead on (to www, to a log-in), and is held to it too.
  const target = allow.redirectUri === null ? "" : ` ${new URL(allow.redirectUri).protocol}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${logo}`,
    "connect-src 'self'",
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
