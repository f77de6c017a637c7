import type { Tx } from "../postgres/postgres.ts";
import type { Application } from "../applications/application.ts";
import { findApplicationByClientId } from "../applications/store.ts";
import { Refusal, required } from "./command.ts";

/** The option by which commands name an application. */
export const CLIENT_ID = required("ID", "the application, by its client id");

/** The application of a client id; refuses where there is none. */
export async function applicationOf(tx: Tx, clientId: string): Promise<Application> {
  return found(await findApplicationByClientId(tx, clientId));
}

/** What a store gave for a client id; refuses null. */
export function found(application: Application | null): Application {
  if (application === null) throw new Refusal("there is no application with this client id");
  return application;
}
