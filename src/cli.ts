import { parseArgs } from "node:util";
import { createHash, randomBytes } from "node:crypto";
import { EmbeddedError } from "./adapters/embedded.ts";
import { MigrationError } from "./adapters/migrations.ts";
import { clientIdFrom, clientSecretFrom, logoUrlFault } from "./applications/application.ts";
import {
  findApplicationByClientId,
  insertApplication,
  installationKey,
  listApplications,
  setSecretHash,
  setSuspended,
} from "./applications/store.ts";
import { CATALOGUE_COMMANDS, CATALOGUE_OPTIONS, CATALOGUE_USAGE } from "./cli/catalogue.ts";
import { Refusal } from "./cli/command.ts";
import { USER_COMMANDS, USER_OPTIONS, USER_USAGE } from "./cli/users.ts";
import type { Command, Context } from "./cli/command.ts";
import { ConfigError, readEnv, toConfig } from "./config.ts";
import { connect, migrateAll } from "./database.ts";
import { uuidv7 } from "./ids.ts";
import { redirectUriFault } from "./sessions/redirect.ts";
import { verifyLedger } from "./points/store.ts";
import { checkWebhookUrl } from "./webhooks/address.ts";
import { signingSecret } from "./webhooks/sign.ts";
import { addEndpoint, disableEndpoint, findEndpoints } from "./webhooks/store.ts";

const USAGE = `Usage: npm run --silent cli -- COMMAND [OPTIONS] [--json]

  app create --name NAME [--sandbox] [--logo-url URL] [--redirect-uri URL] [--webhook-url URL]
                                       make an application; its secrets are shown this once
  app list                             the applications
  app rotate-secret --client-id ID     a new client secret; the old one ends within seconds
  app suspend --client-id ID           refuse its calls from now on
  app resume --client-id ID            take its calls again
  webhook add --client-id ID --url URL where its events are sent; the signing secret is shown this once
  webhook list --client-id ID          its endpoints
  webhook disable --endpoint-id ID     stop deliveries to an endpoint; what is pending is kept
${CATALOGUE_USAGE}
${USER_USAGE}
  ledger verify                        recompute every balance from its records; exit code 1 when one differs

With --json a command prints one JSON line. The settings (DATA_DIR, DATABASE_URL, …) are those of the service, and it
may be running. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
`;

const COMMANDS: Record<string, Command> = {
  ...CATALOGUE_COMMANDS,
  ...USER_COMMANDS,
  "app create": createApplication,
  "app list": async ({ database, print }) => {
    const rows = (await listApplications(database)).map(({ id, clientId, name, isSandbox, suspendedAt }) => ({
      applicationId: id,
      clientId,
      name,
      isSandbox,
      suspendedAt,
    }));
    print(
      { applications: rows },
      rows.map(
        (row) =>
          `${row.clientId}  ${row.name}${row.isSandbox ? " (sandbox)" : ""}${row.suspendedAt ? " (suspended)" : ""}`,
      ),
    );
  },
  "app rotate-secret": async ({ database, now, required, print }) => {
    const clientSecret = clientSecretFrom(randomBytes(32));
    found(await setSecretHash(database, required("client-id"), sha256(clientSecret), now));
    print({ clientId: required("client-id"), clientSecret }, [`clientSecret ${clientSecret}`]);
  },
  "app suspend": async ({ database, now, required, print }) => {
    const { clientId, name } = found(await setSuspended(database, required("client-id"), now, now));
    print({ clientId, suspendedAt: now }, [`${name} is suspended`]);
  },
  "app resume": async ({ database, now, required, print }) => {
    const { clientId, name } = found(await setSuspended(database, required("client-id"), null, now));
    print({ clientId, suspendedAt: null }, [`${name} may call again`]);
  },
  "webhook add": async (context) => {
    const { database, required, print } = context;
    const { id: applicationId } = found(await findApplicationByClientId(database, required("client-id")));
    const endpoint = await addWebhook(context, applicationId, required("url"));
    print(endpoint, [`endpoint ${endpoint.id}`, `secret   ${endpoint.secret}`]);
  },
  "webhook list": async ({ database, required, print }) => {
    const { id: applicationId } = found(await findApplicationByClientId(database, required("client-id")));
    const endpoints = await findEndpoints(database, [applicationId]);
    print(
      { endpoints },
      endpoints.map((endpoint) => `${endpoint.id}  ${endpoint.url}${endpoint.disabledAt ? " (disabled)" : ""}`),
    );
  },
  "webhook disable": async ({ database, required, now, print }) => {
    await disableEndpoint(database, required("endpoint-id"), "requested", now);
    print({ endpointId: required("endpoint-id"), disabledAt: now }, ["disabled"]);
  },
  "ledger verify": async ({ database, print }) => {
    const { users, records, differences } = await verifyLedger(database);
    print({ ok: differences.length === 0, users, records, differences }, [
      ...differences.map((difference) => `user ${difference.userId}: ${difference.what}`),
      `${differences.length === 0 ? "The ledger is sound" : "THE LEDGER DIFFERS"}: ${users} users, ${records} records, ${differences.length} differences.`,
    ]);
    if (differences.length > 0) process.exitCode = 1;
  },
};

async function createApplication(context: Context): Promise<void> {
  const { database, now, option, required, isSandbox, print } = context;
  const logoUrl = option("logo-url") ?? null;
  const logoFault = logoUrl === null ? null : logoUrlFault(logoUrl);
  if (logoFault) throw new Refusal(`--logo-url ${logoFault}`);
  const redirectUri = option("redirect-uri") ?? null;
  const fault = redirectUri === null ? null : redirectUriFault(redirectUri, { isSandbox, redirectAllowList: [] });
  if (fault) throw new Refusal(`--redirect-uri ${fault}`);

  const clientId = clientIdFrom(randomBytes(16));
  const clientSecret = clientSecretFrom(randomBytes(32));
  const application = {
    id: newId(now),
    clientId,
    secretHash: sha256(clientSecret),
    name: required("name"),
    isSandbox,
    logoUrl,
    redirectUri,
    redirectAllowList: [],
  };
  const webhookUrl = option("webhook-url");
  const webhookSecret = await database.tx(async (tx) => {
    await insertApplication(tx, application, now);
    if (webhookUrl === undefined) return null;
    return (await addWebhook({ ...context, database: { ...database, ...tx } }, application.id, webhookUrl)).secret;
  });
  print({ applicationId: application.id, clientId, clientSecret, webhookSecret }, [
    `applicationId ${application.id}`,
    `clientId      ${clientId}`,
    `clientSecret  ${clientSecret}`,
    ...(webhookSecret ? [`webhookSecret ${webhookSecret}`] : []),
    "Keep the secrets now: they are not shown again.",
  ]);
}

async function addWebhook({ database, config, now }: Context, applicationId: string, address: string) {
  const checked = checkWebhookUrl(address, config.webhookAllowNets);
  if (checked.kind === "refused") {
    throw new Refusal(`the webhook address is refused (${checked.reason}); WEBHOOK_ALLOW_NETS opens private networks`);
  }
  const id = newId(now);
  await addEndpoint(database, {
    id,
    applicationId,
    url: checked.url,
    description: "",
    eventTypes: null,
    createdAt: now,
  });
  return { id, url: checked.url, secret: signingSecret(await installationKey(database), id, 1) };
}

function newId(now: Date): string {
  return uuidv7(now.getTime(), randomBytes(10));
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function found<Found>(value: Found | null): Found {
  if (value === null) throw new Refusal("there is no application with this client id");
  return value;
}

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: text,
      "logo-url": text,
      "redirect-uri": text,
      "webhook-url": text,
      "client-id": text,
      "endpoint-id": text,
      url: text,
      ...CATALOGUE_OPTIONS,
      ...USER_OPTIONS,
      sandbox: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const command = COMMANDS[positionals.join(" ")];
  if (values.help || !command) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const config = toConfig(readEnv());
  const { database, close } = await connect(config, "command", QUIET);
  try {
    await migrateAll(database, QUIET);
    await command({
      database,
      config,
      now: new Date(),
      isSandbox: values.sandbox ?? false,
      option: (name) => values[name],
      required: (name) => {
        const value = values[name]?.trim();
        if (!value) throw new Refusal(`--${name} is required`);
        return value;
      },
      print: (value, lines) => console.log(values.json ? JSON.stringify(value) : lines.join("\n")),
    });
  } finally {
    await close();
  }
}

/** A command's output is its answer; only what went wrong is said beside it. */
const QUIET = {
  debug: () => {},
  info: () => {},
  warn: (fields: object, message: string) => console.error(message, fields),
  error: (fields: object, message: string) => console.error(message, fields),
};

try {
  await main();
} catch (error) {
  const code = (error as { code?: unknown }).code;
  const isUsage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
  const isForPeople =
    isUsage ||
    error instanceof Refusal ||
    error instanceof ConfigError ||
    error instanceof EmbeddedError ||
    error instanceof MigrationError;
  console.error(isForPeople ? (error as Error).message : error);
  process.exitCode = isUsage ? 2 : 1;
}
