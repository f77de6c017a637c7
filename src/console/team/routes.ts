import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import { isEmail } from "../../http/formats.ts";
import type { Server } from "../../http/server.ts";
import type { Database, Tx } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { applicationNames, findApplicationNamed, listApplicationsFor } from "../applications.store.ts";
import { doneIn, fieldsOf, textIn } from "../form.ts";
import { isRole } from "../roles.ts";
import type { Role } from "../roles.ts";
import { closeSessionsOf, makeLink } from "../sessions.store.ts";
import { deleteConsoleUser, grantRole, insertConsoleUser, listConsoleUsers, revokeAllRoles } from "../users.store.ts";
import type { ConsoleUser } from "../users.store.ts";
import { newLinkPage, teamPage } from "./page.ts";
import type { TeamError, TeamState } from "./page.ts";

export interface TeamDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The public address, without a slash at its end. */
  readonly publicUrl: string;
}

const OPERATE = { config: { console: "operate" } } as const;
const NAME_LENGTH_MAX = 100;
const NO_STATE: TeamState = { done: null, error: null, typed: { email: "", name: "" } };

/**
 * Adds the page with the people of the console. It needs the right to operate all applications: an operator of one
 * could otherwise take the others.
 */
export function teamRoutes(scope: Server, deps: TeamDeps): void {
  const { database, now } = deps;
  scope.get("/console/team", OPERATE, (request, reply) =>
    show(deps, request, reply, { ...NO_STATE, done: doneIn(request) }),
  );
  scope.post("/console/team", OPERATE, (request, reply) => addSomebody(deps, request, reply));

  const onPerson = (name: string, work: (tx: Tx, person: ConsoleUser, fields: URLSearchParams) => Promise<void>) => {
    scope.post(`/console/team/:person/${name}`, OPERATE, async (request, reply) => {
      const person = await findPerson(database, request);
      const { view, api } = request.console;
      if (name !== "grant" && person.id === view.user.id) {
        return show(deps, request, reply, { ...NO_STATE, error: "self" });
      }
      const fields = fieldsOf(request);
      if (name === "grant" && !isRole(fields.get("role") ?? "")) {
        return show(deps, request, reply, { ...NO_STATE, error: "role" });
      }
      const about = { action: `console.user-${name}`, subject: person.id };
      await api.audited(about, () => database.tx((tx) => work(tx, person, fields)));
      return redirectFromPage(reply, `${view.basePath}/console/team?done=${DONE[name]}`);
    });
  };
  onPerson("grant", async (tx, { id }, fields) =>
    grantRole(tx, id, await applicationIn(tx, fields), fields.get("role") as Role),
  );
  onPerson("revoke", async (tx, { id }) => {
    await revokeAllRoles(tx, id);
    await closeSessionsOf(tx, id);
  });
  onPerson("remove", async (tx, { email }) => {
    await deleteConsoleUser(tx, email);
  });

  scope.post("/console/team/:person/link", OPERATE, async (request, reply) => {
    const { id, name } = await findPerson(database, request);
    const about = { action: "console.user-link", subject: id };
    const link = await request.console.api.audited(about, () => makeLink(database, deps.publicUrl, id, now()));
    return sendPage(reply, 200, newLinkPage(request.console.view, { name, link }));
  });
}

const DONE: Readonly<Record<string, string>> = { grant: "granted", revoke: "revoked", remove: "removed" };

async function addSomebody(deps: TeamDeps, request: FastifyRequest, reply: FastifyReply) {
  const { database, now, newId } = deps;
  const fields = fieldsOf(request);
  const [email, name] = ["email", "name"].map((field) => (fields.get(field) ?? "").trim()) as [string, string];
  const role = fields.get("role") ?? "";
  const refuse = (error: TeamError) => show(deps, request, reply, { done: null, error, typed: { email, name } });
  if (!isEmail(email)) return refuse("email");
  if (name === "" || name.length > NAME_LENGTH_MAX) return refuse("name");
  if (!isRole(role)) return refuse("role");
  const { view, api } = request.console;
  const applicationId = await applicationIn(database, fields);
  const id = newId();
  const link = await api.audited({ action: "console.user-add", subject: id }, () =>
    database.tx(async (tx) => {
      if (!(await insertConsoleUser(tx, { id, email, name }, now()))) return null;
      await grantRole(tx, id, applicationId, role);
      return makeLink(tx, deps.publicUrl, id, now());
    }),
  );
  if (link === null) return refuse("taken");
  return sendPage(reply, 201, newLinkPage(view, { name, link }));
}

/** Returns the id of the application that a role is given for; null: for all. Throws notFound for one that is none. */
async function applicationIn(tx: Tx, fields: URLSearchParams): Promise<string | null> {
  const typed = textIn(fields, "application", 255);
  if (typed === "") return null;
  const found = await findApplicationNamed(tx, typed);
  if (!found) throw new Problem("notFound");
  return found.id;
}

async function findPerson(tx: Tx, request: FastifyRequest): Promise<ConsoleUser> {
  const { person: wanted } = request.params as { person: string };
  const person = (await listConsoleUsers(tx)).find(({ id }) => id === wanted);
  if (!person) throw new Problem("notFound");
  return person;
}

async function show({ database }: TeamDeps, request: FastifyRequest, reply: FastifyReply, state: TeamState) {
  const { view } = request.console;
  const people = await listConsoleUsers(database);
  const applications = await listApplicationsFor(database, view.user.grants);
  const ids = people.flatMap(({ grants }) => grants.flatMap(({ applicationId }) => applicationId ?? []));
  const names = await applicationNames(database, ids);
  const page = teamPage(view, { people, applications, names, state });
  return sendPage(reply, state.error === null ? 200 : 400, page);
}
