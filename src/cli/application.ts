import { createHash, randomBytes } from "node:crypto";
import { clientIdFrom, clientSecretFrom, logoUrlError } from "../applications/application.ts";
import type { Application } from "../applications/application.ts";
import {
  endPreviousSecret,
  findApplicationByClientId,
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
import { CLIENT_ID, found } from "./client-id.ts";
import { Refusal, command, flag, optional, required } from "./command.ts";
import { dayLimitsOf } from "./day-limits.ts";
import type { Command } from "./command.ts";
import { addWebhook, checkedUrl } from "./webhook.ts";

/** A replaced secret is for the days of replacing it. */
const KEEP_HOURS_MAX = 720;

export const APPLICATION_COMMANDS: readonly Command[] = [
  command({
    name: "app create",
    summary: "make an application; its secrets are shown this once",
    options: {
      name: required("NAME", "what it is called, for people"),
      sandbox: flag("for trying out: may use sample receipts, and http://localhost as a way back"),
      logoUrl: optional("URL", "shown on the hosted pages; an https address"),
      redirectUri: optional("URL", "where hosted pages lead back to when a session names nothing"),
      accent: optional("COLOUR", "of what can be pressed on the hosted pages, as in #1f6b4a; fitted to be legible"),
      webhookUrl: optional("URL", "where its events are sent"),
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
      ]);
    },
  }),
  command({
    name: "app list",
    summary: "the applications",
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
    summary: "change what people see of an application; what is not given stays",
    options: {
      clientId: CLIENT_ID,
      name: optional("NAME", "what it is called, for people"),
      logoUrl: optional("URL", "shown on the hosted pages; an https address"),
      redirectUri: optional("URL", "where hosted pages lead back to when a session names nothing"),
      accent: optional("COLOUR", "of what can be pressed on the hosted pages, as in #1f6b4a; fitted to be legible"),
    },
    examples: ["app set --client-id app_… --accent '#1f6b4a'"],
    run: async ({ database, now, options, print }) => {
      const { clientId } = options;
      const application = found(await findApplicationByClientId(database, clientId));
      const looks = looksOf(options, application);
      const { name, ...set } = found(await setLooks(database, clientId, { name: options.name ?? null, ...looks }, now));
      const { logoUrl, redirectUri, accentColour } = set;
      print({ clientId, name, logoUrl, redirectUri, accentColour }, [`${name} is changed`]);
    },
  }),
  command({
    name: "app redirects",
    summary: "where its sessions may lead back to: only to the addresses given, or to any that is safe",
    options: {
      clientId: CLIENT_ID,
      only: optional(
        "LIST",
        "addresses, comma-separated, each with any query; without it any https address or app scheme",
      ),
    },
    examples: [
      "app redirects --client-id app_… --only https://example.org/back,myapp://done",
      "app redirects --client-id app_…",
    ],
    run: async ({ database, now, options: { clientId, only }, print }) => {
      const { name, isSandbox, redirectUri } = found(await findApplicationByClientId(database, clientId));
      const redirectAllowList = only === undefined ? [] : only.split(",").map((address) => address.trim());
      for (const address of redirectAllowList) {
        const error = redirectUriError(address, { isSandbox, redirectAllowList: [] });
        if (error) throw new Refusal(`--only ${error}`);
      }
      // A session that names nothing is led there unasked.
      if (redirectUri !== null && redirectUriError(redirectUri, { isSandbox, redirectAllowList })) {
        throw new Refusal(`--only must hold the application's own --redirect-uri, ${redirectUri}`);
      }
      const addresses = redirectAllowList.map(normaliseRedirectUri);
      found(await setRedirectAllowList(database, clientId, addresses, now));
      const where = only === undefined ? "any address that is safe" : addresses.join(" and ");
      print({ clientId, redirectAllowList: addresses }, [`sessions of ${name} may lead back to ${where}`]);
    },
  }),
  command({
    name: "app rotate-secret",
    summary: "a new client secret, shown this once; the old one ends within seconds, or when you say",
    details:
      "To replace the secret of many machines without a call refused: keep the old one, give the new one to each machine, then end the old one. A secret that was kept by an earlier rotation ends at once.",
    options: {
      clientId: CLIENT_ID,
      keepOldHours: optional("HOURS", `how long the old secret opens beside the new one, at most ${KEEP_HOURS_MAX}`),
    },
    examples: ["app rotate-secret --client-id app_…", "app rotate-secret --client-id app_… --keep-old-hours 24"],
    run: async ({ database, now, options: { clientId, keepOldHours = "0" }, print }) => {
      const hours = /^\d{1,4}$/.test(keepOldHours) ? Number(keepOldHours) : Infinity;
      if (hours > KEEP_HOURS_MAX) {
        throw new Refusal(`--keep-old-hours must be a whole number from 0 to ${KEEP_HOURS_MAX}`);
      }
      const clientSecret = clientSecretFrom(randomBytes(32));
      const previousUntil = hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS);
      found(await setSecretHash(database, clientId, { hash: sha256(clientSecret), previousUntil }, now));
      print({ clientId, clientSecret, previousSecretValidUntil: previousUntil }, [
        `clientSecret ${clientSecret}`,
        ...(previousUntil ? [`The old one opens as well until ${previousUntil.toISOString()}.`] : []),
      ]);
    },
  }),
  command({
    name: "app end-old-secret",
    summary: "end within seconds the secret that a rotation kept",
    options: { clientId: CLIENT_ID },
    examples: ["app end-old-secret --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = found(await endPreviousSecret(database, clientId, now));
      print({ clientId, previousSecretValidUntil: null }, [`${name} has one secret`]);
    },
  }),
  command({
    name: "app suspend",
    summary: "refuse its calls from now on",
    options: { clientId: CLIENT_ID },
    examples: ["app suspend --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = found(await setSuspended(database, clientId, now, now));
      print({ clientId, suspendedAt: now }, [`${name} is suspended`]);
    },
  }),
  command({
    name: "app resume",
    summary: "take its calls again",
    options: { clientId: CLIENT_ID },
    examples: ["app resume --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { name } = found(await setSuspended(database, clientId, null, now));
      print({ clientId, suspendedAt: null }, [`${name} may call again`]);
    },
  }),
  command({
    name: "app limit",
    summary: "how many calls in a minute it may make",
    options: {
      clientId: CLIENT_ID,
      perMinute: optional("N", "0 = no limit; without it what RATE_LIMIT_PER_MINUTE says holds again"),
    },
    examples: ["app limit --client-id app_… --per-minute 600", "app limit --client-id app_…"],
    run: async ({ database, now, options: { clientId, perMinute }, print }) => {
      if (perMinute !== undefined && !/^\d{1,7}$/.test(perMinute)) {
        throw new Refusal("--per-minute must be a whole number from 0 to 9999999");
      }
      const rateLimitPerMinute = perMinute === undefined ? null : Number(perMinute);
      const { name } = found(await setRateLimit(database, clientId, rateLimitPerMinute, now));
      const said =
        rateLimitPerMinute === null ? "as often as the service's setting says" : `${rateLimitPerMinute} times`;
      print({ clientId, rateLimitPerMinute }, [
        rateLimitPerMinute === 0 ? `${name} may call without limit` : `${name} may call ${said} in a minute`,
      ]);
    },
  }),
];

/** What people see of an application, or the first error in it. */
function looksOf(
  options: { logoUrl: string | undefined; redirectUri: string | undefined; accent: string | undefined },
  rules: RedirectRules,
): Pick<Application, "logoUrl" | "redirectUri" | "accentColour"> {
  const { logoUrl = null, redirectUri = null, accent = null } = options;
  const logoError = logoUrl === null ? null : logoUrlError(logoUrl);
  if (logoError) throw new Refusal(`--logo-url ${logoError}`);
  const redirectError = redirectUri === null ? null : redirectUriError(redirectUri, rules);
  if (redirectError) throw new Refusal(`--redirect-uri ${redirectError}`);
  const colourError = accent === null ? null : accentError(accent);
  if (colourError) throw new Refusal(`--accent ${colourError}`);
  return { logoUrl, redirectUri, accentColour: accent?.toLowerCase() ?? null };
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
