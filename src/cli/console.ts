import { randomBytes } from "node:crypto";
import { listApplications } from "../applications/store.ts";
import { addAuditEntry, addAuditOutcome } from "../console/audit.store.ts";
import { ROLES, isRole } from "../console/roles.ts";
import { closeSessionsOf, makeLink } from "../console/sessions.store.ts";
import {
  deleteConsoleUser,
  findConsoleUser,
  grantRole,
  insertConsoleUser,
  listConsoleUsers,
  revokeAllRoles,
} from "../console/users.store.ts";
import { isEmail } from "../http/formats.ts";
import { uuidv7 } from "../ids.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, UsageError, command, optional, required } from "./command.ts";
import type { Command, Context } from "./command.ts";

const EMAIL = required("ADDRESS", "e-mail address, which the person signs in with");
const ROLE = required("ROLE", `${ROLES.slice(0, -1).join(", ")} or ${ROLES.at(-1)}`);
const CLIENT_ID = optional("CLIENT_ID", "the application; without it all applications");

/** The commands for the people of the console. */
export const CONSOLE_COMMANDS: readonly Command[] = [
  command({
    name: "console user add",
    summary: "add a person with a role, and print a one-time link to sign in",
    details:
      "A viewer sees; a reviewer also decides about receipts and names; a manager also changes points, rewards and the\n" +
      "programme; a developer sees, and changes keys and webhooks; an operator may do everything.\n" +
      "The link works once, for a day. Needs the setting CONSOLE=true of the service.",
    options: { email: EMAIL, name: required("NAME", "name, shown to the person"), role: ROLE, clientId: CLIENT_ID },
    examples: [
      "console user add --email ada@example.org --name Ada --role operator",
      "console user add --email bo@example.org --name Bo --role reviewer --client-id app_…",
    ],
    run: async ({ options, ...context }) => {
      const { email, name, role } = options;
      const { now } = context;
      if (!isEmail(email)) throw new UsageError("--email must be an e-mail address");
      const id = uuidv7(now.getTime(), randomBytes(10));
      await printLink(context, { id, email }, async (tx) => {
        if (!(await insertConsoleUser(tx, { id, email, name }, now))) {
          throw new Refusal(`${email} is already added: use console user grant, or console user link`);
        }
        await grant(tx, id, role, options.clientId);
        await audit(tx, now, "console.user-add", id);
      });
    },
  }),
  command({
    name: "console user link",
    summary: "print a new one-time link, for somebody who lost the password",
    options: { email: EMAIL },
    examples: ["console user link --email ada@example.org"],
    run: async ({ options: { email }, ...context }) => {
      const { id } = await personOf(context.database, email);
      await printLink(context, { id, email }, (tx) => audit(tx, context.now, "console.user-link", id));
    },
  }),
  command({
    name: "console user grant",
    summary: "give a person another role",
    options: { email: EMAIL, role: ROLE, clientId: CLIENT_ID },
    examples: ["console user grant --email bo@example.org --role manager --client-id app_…"],
    run: async ({ database, now, options: { email, role, clientId }, print }) => {
      const { id } = await personOf(database, email);
      await database.tx(async (tx) => {
        await grant(tx, id, role, clientId);
        await audit(tx, now, "console.user-grant", id);
      });
      print({ consoleUserId: id, email, role }, [`${email} has the role ${role}`]);
    },
  }),
  command({
    name: "console user revoke",
    summary: "take all roles from a person, who is signed out",
    options: { email: EMAIL },
    examples: ["console user revoke --email bo@example.org"],
    run: async ({ database, now, options: { email }, print }) => {
      const { id } = await personOf(database, email);
      await database.tx(async (tx) => {
        await revokeAllRoles(tx, id);
        await closeSessionsOf(tx, id);
        await audit(tx, now, "console.user-revoke", id);
      });
      print({ consoleUserId: id, email }, [`${email} has no role any more`]);
    },
  }),
  command({
    name: "console user remove",
    summary: "remove a person; the audit log keeps the id",
    options: { email: EMAIL },
    examples: ["console user remove --email bo@example.org"],
    run: async ({ database, now, options: { email }, print }) => {
      const id = await database.tx(async (tx) => {
        const removed = await deleteConsoleUser(tx, email);
        if (removed !== null) await audit(tx, now, "console.user-remove", removed);
        return removed;
      });
      if (id === null) throw new Refusal(`there is no ${email}`);
      print({ consoleUserId: id, email }, [`${email} is removed`]);
    },
  }),
  command({
    name: "console user list",
    summary: "list the people with their roles",
    options: {},
    examples: ["console user list"],
    run: async ({ database, print }) => {
      const clientIds = new Map((await listApplications(database)).map(({ id, clientId }) => [id, clientId]));
      const people = (await listConsoleUsers(database)).map(({ id, email, name, grants }) => ({
        consoleUserId: id,
        email,
        name,
        roles: grants.map(({ applicationId, role }) => ({
          role,
          clientId: applicationId === null ? null : (clientIds.get(applicationId) ?? null),
        })),
      }));
      print(
        { people },
        people.map(({ email, name, roles }) => {
          const list = roles.map(({ role, clientId }) => (clientId === null ? role : `${role} of ${clientId}`));
          return `${email}  ${name}  ${list.join(", ") || "no role"}`;
        }),
      );
    },
  }),
];

async function personOf(database: Database, email: string) {
  const user = await findConsoleUser(database, email);
  if (!user) throw new Refusal(`there is no ${email}`);
  return user;
}

async function grant(tx: Tx, userId: string, role: string, clientId: string | undefined): Promise<void> {
  if (!isRole(role)) throw new UsageError(`--role must be one of ${ROLES.join(", ")}`);
  const application = clientId === undefined ? null : await applicationOf(tx, clientId);
  await grantRole(tx, userId, application?.id ?? null, role);
}

/** Makes a one-time link for somebody, once `work` is done, and prints it. */
async function printLink(
  { database, config, now, print }: Pick<Context, "database" | "config" | "now" | "print">,
  { id, email }: { readonly id: string; readonly email: string },
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const address = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const link = await database.tx(async (tx) => {
    await work(tx);
    return makeLink(tx, address, id, now);
  });
  print({ consoleUserId: id, email, link }, [link, "The link works once, until tomorrow. Give it to nobody else."]);
}

/** Changes by the command line are written to the audit log without a person of the console. */
async function audit(tx: Tx, now: Date, action: string, subject: string): Promise<void> {
  const id = uuidv7(now.getTime(), randomBytes(10));
  await addAuditEntry(tx, { id, at: now, consoleUserId: null, applicationId: null, action, subject });
  await addAuditOutcome(tx, id, 200);
}
