import type { Role } from "../../src/console/roles.ts";
import type { OcrImage } from "../../src/ocr/ocr.ts";
import { WITH_CONSOLE, signIn } from "./console.ts";
import type { Person } from "./console.ts";
import { GROCERIES, pageOf } from "./groceries.ts";
import { startService } from "./service.ts";
import type { Client, ServiceOptions, TestService } from "./service.ts";

/** A service with the console, an application, and somebody who has a role in it. */
export interface ConsoleSection {
  readonly service: TestService;
  readonly client: Client;
  readonly person: Person;
  /** The path of the section. */
  readonly base: string;
}

/** Starts a service for the tests of a section. */
export async function startSection(
  section: string,
  role: Role,
  options: Omit<ServiceOptions, "env"> = { isWorking: false },
): Promise<ConsoleSection> {
  const service = await startService({ env: WITH_CONSOLE, ...options });
  const client = await service.newClient();
  const person = await signIn(service, [{ role, applicationId: client.applicationId }]);
  return { service, client, person, base: `/console/${client.applicationId}/${section}` };
}

/** What is read on every receipt of a service: `now` may be replaced between two of them. */
export interface PrintedRows {
  now: readonly string[];
  /** Of receipts with several photos: what is read on each. */
  parts: readonly (readonly string[])[] | null;
}

/** The options of a service that reads the groceries on every receipt, or what a test puts in their place. */
export function readingRows(): { readonly rows: PrintedRows; readonly options: Omit<ServiceOptions, "env"> } {
  const rows: PrintedRows = { now: GROCERIES, parts: null };
  const read = async (image: OcrImage) => {
    const part = Number(/-(\d)\.jpg$/.exec("path" in image ? image.path : "")?.[1] ?? 1);
    return pageOf(rows.parts?.[part - 1] ?? rows.now);
  };
  return { rows, options: { ocr: { read, close: async () => {} } } };
}
