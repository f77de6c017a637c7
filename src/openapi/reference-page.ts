import { html } from "../html/html.ts";
import type { Html } from "../html/html.ts";

/**
 * The page /docs: Scalar's API reference of openapi.json, started by the script at `startScript`. All links are
 * relative, so it works below any path prefix.
 */
export function referencePage(startScript: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Rewards Service: API reference</title>
        <script src="docs/scalar.js" defer></script>
        <script src="${startScript}" defer></script>
      </head>
      <body>
        <div id="reference"></div>
        <noscript>
          <p>This page needs JavaScript. The same information is in <a href="openapi.json">openapi.json</a>.</p>
        </noscript>
      </body>
    </html>`;
}

/**
 * Content security policy of the page: scripts from this host, requests to this host and to the public address (for
 * "Test request"). Scalar adds its stylesheet as inline `<style>`, and shows its icons as data URLs.
 */
export function referencePolicy(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
