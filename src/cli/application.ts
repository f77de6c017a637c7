import { createHash, randomBytes } from "node:crypto";
import { clientIdFrom, clientSecretFrom, logoUrlError } from "../applications/application.ts";
import type { Application } from "../applications/application.ts";
import {
  endPreviousSecret,
  insertApplication,
  listApplications,
  setLooks,
  setRateLimit,
  setRedirectAllowList,
  setSecretHash,
  setSuspended,
} from "../applications/store.ts";
import { uuidv7 } from "../ids.ts";
import { accentError } from "../html/colour.ts";
import { normaliseRedirectUri, redirectUriError } from "../sessions/redirect.ts";
import type { RedirectRules } from "../sessions/redirect.ts";
import { HOUR_MS } from "../time.ts";
import { CLIENT_ID, applicationOf, changed } from "./client-id.ts";
import { Refusal, command, flag, optional, required } from "./command.ts";
import { RECOMMENDED_DAY_LIMITS, dayLimitsOf } from "./day-limits.ts";
import type { Command } from "./command.ts";
import { addWebhook, checkedUrl } from "./webhook.ts";

/** The longest time that a replaced secret stays valid: long enough to replace it everywhere. */
const KEEP_HOURS_MAX = 720;

export const APPLICATION_COMMANDS: readonly Command[] = [
  command({
    name: "app create",
    summary: "create an application; its secrets are shown only now",
    options: {
      name: required("NAME", "its name, shown to people"),
      sandbox: flag("for trying out: may use sample receipts, and redirect to http://localhost"),
      logoUrl: optional("URL", "shown on the hosted pages; an https address"),
      redirectUri: optional("URL", "address that hosted pages redirect to where a session names none"),
      accent: optional(
        "COLOUR",
        "colour of buttons and links on the hosted pages, such as #1f6b4a; adjusted to be legible",
      ),
      webhookUrl: optional("URL", "address that its events are sent to"),
    },
    examples: [
      'app create --name "My app" --sandbox',
      'app create --name "My app" --webhook-url https://example.org/hooks --json',
    ],
    run: async ({ database, config, now, options, print }) => {
      const { name, sandbox: isSandbox, webhookUrl } = options;
      const looks = looksOf(options, { isSandbox, redirectAllowList: [] });

      const id = uuidv7(now.getTime(), randomBytes(10));
      const clientId = clientIdFrom(randomBytes(16));
      const clientSecret = clientSecretFrom(randomBytes(32));
      const secretHash = sha256(clientSecret);
      const application = { id, clientId, secretHash, name, isSandbox, ...looks, redirectAllowList: [] };
      const url = webhookUrl === undefined ? null : await checkedUrl(webhookUrl, config);
      const webhookSecret = await database.tx(async (tx) => {
        await insertApplication(tx, application, now);
        return url === null ? null : (await addWebhook(tx, now, id, { url })).secret;
      });
      print({ applicationId: id, clientId, clientSecret, webhookSecret }, [
        `applicationId ${id}`,
        `clientId      ${clientId}`,
        `clientSecret  ${clientSecret}`,
        ...(webhookSecret ? [`webhookSecret ${webhookSecret}`] : []),
        "Keep the secrets now: they are not shown again.",
        `No limit a day is set. Recommended for consumers: app day-limits --client-id ${clientId} ${RECOMMENDED_DAY_LIMITS}`,
      ]);
    },
  }),
  command({
    name: "app list",
    summary: "list the applications",
    options: {},
    examples: ["app list"],
    run: async ({ database, now, print }) => {
      const applications = (await listApplications(database)).map(
        ({ id, clientId, name, isSandbox, redirectAllowList, suspendedAt, previousSecretUntil: until, ...limits }) => ({
          applicationId: id,
          clientId,
          name,
          isSandbox,
          redirectAllowList,
          suspendedAt,
          previousSecretValidUntil: until !== null && until > now ? until : null,
          ...dayLimitsOf(limits),
        }),
      );
      print(
        { applications },
        applications.map(
          ({ clientId, name, isSandbox, suspendedAt, previousSecretValidUntil: until }) =>
            `${clientId}  ${name}${isSandbox ? " (sandbox)" : ""}${suspendedAt ? " (suspended)" : ""}` +
            (until ? ` (two secrets until ${until.toISOString()})` : ""),
        ),
      );
    },
  }),
  command({
    name: "app set",
    summary: "change the name and looks of an application; options not given stay",
    options: {
      clientId: CLIENT_ID,
      name: optional("NAME", "its name, shown to people"),
      logoUrl: optional("URL", "shown on the hosted pages; an https address"),
      redirectUri: optional("URL", "address that hosted pages redirect to where a session names none"),
      accent: optional(
        "COLOUR",
        "colour of buttons and links on the hosted pages, such as #1f6b4a; adjusted to be legible",
      ),
    },
    examples: ["app set --client-id app_… --accent '#1f6b4a'"],
    run: async ({ database, now, options, print }) => {
      const { clientId } = options;
      const application = await applicationOf(database, clientId);
      const looks = looksOf(options, application);
      const { name, ...set } = await changed(database, (tx) =>
        setLooks(tx, clientId, { name: options.name ?? null, ...looks }, now),
      );
      const { logoUrl, redirectUri, accentColour } = set;
      print({ clientId, name, logoUrl, redirectUri, accentColour }, [`${name} is changed`]);
    },
  }),
  command({
    name: "app redirects",
    summary: "limit the addresses that its sessions may redirect to, or allow any safe address",
    options: {
      clientId: CLIENT_ID,
      only: optional(
        "LIST",
        "addresses, comma-separated, each with any query; without it any https address or scheme of an app",
      ),
    },
    examples: [
      "app redirects --client-id app_… --only https://example.org/back,myapp://done",
      "app redirects --client-id app_…",
    ],
    run: async ({ database, now, options: { clientId, only }, print }) => {
      const { name, isSandbox, redirectUri } = await applicationOf(database, clientId);
      const redirectAllowList = only === undefined ? [] : only.split(",").map((address) => address.trim());
      for (const address of redirectAllowList) {
        const error = redirectUriError(address, { isSandbox, redirectAllowList: [], schemes: "any" });
        if (error) throw new Refusal(`--only ${error}`);
      }
      // A session that names no address redirects there.
      if (redirectUri !== null && redirectUriError(redirectUri, { isSandbox, redirectAllowList, schemes: "any" })) {
        throw new Refusal(`--only must hold the application's own --redirect-uri, ${redirectUri}`);
      }
      const addresses = redirectAllowList.map(normaliseRedirectUri);
      await changed(database, (tx) => setRedirectAllowList(tx, clientId, addresses, now));
      const where = only === undefined ? "any safe address" : addresses.join(" and ");
      print({ clientId, redirectAllowList: addresses }, [`sessions of ${name} may redirect to ${where}`]);
    },
  }),
  command({
    name: "app rotate-secret",
    summary: "create a new client secret, shown only now; the old one ends within seconds, or later if you say so",
    details:
      "To replace the secret on many machines without rejected calls: keep the old one, install the new one on each machine, then end the old one. A secret that an earlier rotation kept ends at once.",
    options: {
      clientId: CLIENT_ID,
      keepOldHours: optional("HOURS", `time that the old secret stays valid, at most ${KEEP_HOURS_MAX}`),
    },
    examples: ["app rotate-secret --client-id app_…", "app rotate-secret --client-id app_… --keep-old-hours 24"],
    run: async ({ database, now, options: { clientId, keepOldHours = "0" }, print }) => {
      const hours = /^\d{1,4}$/.test(keepOldHours) ? Number(keepOldHours) : Infinity;
      if (hours > KEEP_HOURS_MAX) {
        throw new Refusal(`--keep-old-hours must be a whole number from 0 to ${KEEP_HOURS_MAX}`);
      }
      const clientSecret = clientSecretFrom(randomBytes(32));
      const previousUntil = hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS);
      await changed(database, (tx) => setSecretHash(tx, clientId, { hash: sha256(clientSecret), previousUntil }, now));
      print({ clientId, clientSecret, previousSecretValidUntil: previousUntil }, [
        `clientSecret ${clientSecret}`,
        ...(previousUntil ? [`The old one is valid too until ${previousUntil.toISOString()}.`] : []),
      ]);
    },
  }),
  command({
    name: "app end-old-secret",
    summary: "end the old secret that a rotation kept, within seconds",
    options: { clientId: CLIENT_ID },
    examples: ["app end-old-secret --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = await changed(database, (tx) => endPreviousSecret(tx, clientId, now));
      print({ clientId, previousSecretValidUntil: null }, [`${name} has one secret`]);
    },
  }),
  command({
    name: "app suspend",
    summary: "reject its calls, close its pages and hold back its webhooks from now on",
    options: { clientId: CLIENT_ID },
    examples: ["app suspend --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = await changed(database, (tx) => setSuspended(tx, clientId, now, now));
      print({ clientId, suspendedAt: now }, [`${name} is suspended`]);
    },
  }),
  command({
    name: "app resume",
    summary: "accept its calls again",
    options: { clientId: CLIENT_ID },
    examples: ["app resume --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = await changed(database, (tx) => setSuspended(tx, clientId, null, now));
      print({ clientId, suspendedAt: null }, [`${name} may call again`]);
    },
  }),
  command({
    name: "app limit",
    summary: "set its limit of calls in a minute",
    options: {
      clientId: CLIENT_ID,
      perMinute: optional("N", "0 = no limit; without it RATE_LIMIT_PER_MINUTE applies again"),
    },
    examples: ["app limit --client-id app_… --per-minute 600", "app limit --client-id app_…"],
    run: async ({ database, now, options: { clientId, perMinute }, print }) => {
      if (perMinute !== undefined && !/^\d{1,7}$/.test(perMinute)) {
        throw new Refusal("--per-minute must be a whole number from 0 to 9999999");
      }
      const rateLimitPerMinute = perMinute === undefined ? null : Number(perMinute);
      const { name } = await changed(database, (tx) => setRateLimit(tx, clientId, rateLimitPerMinute, now));
      const limit =
        rateLimitPerMinute === null ? "as often as the service's setting allows" : `${rateLimitPerMinute} times`;
      print({ clientId, rateLimitPerMinute }, [
        rateLimitPerMinute === 0 ? `${name} may call without limit` : `${name} may call ${limit} in a minute`,
      ]);
    },
  }),
];

/** Returns the looks of an application; refuses the first error in them. */
function looksOf(
  options: { logoUrl: string | undefined; redirectUri: string | undefined; accent: string | undefined },
  rules: RedirectRules,
): Pick<Application, "logoUrl" | "redirectUri" | "accentColour"> {
  const { logoUrl = null, redirectUri = null, accent = null } = options;
  const logoError = logoUrl === null ? null : logoUrlError(logoUrl);
  if (logoError) throw new Refusal(`--logo-url ${logoError}`);
  const redirectError = redirectUri === null ? null : redirectUriError(redirectUri, { ...rules, schemes: "any" });
  if (redirectError) throw new Refusal(`--redirect-uri ${redirectError}`);
  const colourError = accent === null ? null : accentError(accent);
  if (colourError) throw new Refusal(`--accent ${colourError}`);
  return { logoUrl, redirectUri, accentColour: accent?.toLowerCase() ?? null };
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
