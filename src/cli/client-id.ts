import type { Database, Tx } from "../postgres/postgres.ts";
import type { Application } from "../applications/application.ts";
import { findApplicationByClientId } from "../applications/store.ts";
import { Refusal, required } from "./command.ts";

/** The option that names an application. */
export const CLIENT_ID = required("ID", "the application, by its client id");

/** Returns the application of a client id; refuses where there is none, or it is closed. */
export async function applicationOf(tx: Tx, clientId: string): Promise<Application> {
  return found(await findApplicationByClientId(tx, clientId));
}

/** The same, also of an application that is closed: for the commands that move or remove it, and go on. */
export async function closedOrNot(tx: Tx, clientId: string): Promise<Application> {
  return known(await findApplicationByClientId(tx, clientId));
}

/** Changes an application, which `change` returns; one that is refused stays as it was. */
export async function changed(
  database: Database,
  change: (tx: Tx) => Promise<Application | null>,
): Promise<Application> {
  return database.tx(async (tx) => found(await change(tx)));
}

/** Returns the application that a store returned; refuses null, and one that is closed. */
export function found(application: Application | null): Application {
  const its = known(application);
  const { closedAt, movedTo } = its;
  if (movedTo !== null) throw new Refusal(`the application has moved to ${movedTo}: run the command in its cell`);
  if (closedAt === null) return its;
  throw new Refusal("the application is closed, since it is moving or being removed: finish that first");
}

function known(application: Application | null): Application {
  if (application === null) throw new Refusal("there is no application with this client id");
  return application;
}
