import type { Tx } from "../postgres/postgres.ts";
import type { Application } from "../applications/application.ts";
import { findApplicationByClientId } from "../applications/store.ts";
import { Refusal, required } from "./command.ts";

/** The option that names an application. */
export const CLIENT_ID = required("ID", "the application, by its client id");

/** Returns the application of a client id; refuses where there is none. */
export async function applicationOf(tx: Tx, clientId: string): Promise<Application> {
  return found(await findApplicationByClientId(tx, clientId));
}

/** The same, also of an application that is closed: for the commands that move or remove it, and go on. */
export async function closedOrNot(tx: Tx, clientId: string): Promise<Application> {
  return known(await findApplicationByClientId(tx, clientId));
}

/** Returns the application that a store returned; refuses null. */
export function found(application: Application | null): Application {
  const its = known(application);
  const { closedAt, movedTo } = its;
  if (movedTo !== null) throw new Refusal(`the application has moved to ${movedTo}: run the command in its cell`);
  if (closedAt !== null)
    throw new Refusal("the application is closed, since it is moving or being removed: finish that first");
  return its;
}

function known(application: Application | null): Application {
  if (application === null) throw new Refusal("there is no application with this client id");
  return application;
}
