import { randomBytes } from "node:crypto";
import { addChange, addChangeOutcome, findApplicationOf } from "../audit/store.ts";
import { findApplicationByClientId } from "../applications/store.ts";
import { isUuid, uuidv7 } from "../ids.ts";
import type { Tx } from "../postgres/postgres.ts";
import { Refusal, UsageError } from "./command.ts";
import type { Command, Context } from "./command.ts";

/**
 * Commands that change something, and are in the audit log. Those of `console user` write their own entries. A restore
 * is not in it, since it replaces the log; nor are commands that call the API, whose calls are.
 */
const CHANGING = new Set(
  (
    "app create|app set|app redirects|app rotate-secret|app end-old-secret|app suspend|app resume|app limit|" +
    "app day-limits|app points|app review|app country|app move|app remove|credential add|credential revoke|" +
    "program save|program publish|program withdraw|webhook add|webhook disable|webhook enable|webhook remove|" +
    "webhook rotate|webhook replay|" +
    "webhook retry|user import|user export|user erase|balance import|catalogue import|catalogue remove|" +
    "catalogue alias add|catalogue alias remove|catalogue word add|catalogue word remove|reward add|reward set|" +
    "reward remove|reward codes|report rebuild|rescore|cell create|images move"
  ).split("|"),
);

/** Without another option than the application these show what is set. */
const SHOWING = new Set(["app day-limits", "app points", "app review", "app country"]);

/** Returns whether a command is in the audit log, if it changes something with its options. */
export function isAudited({ name }: Pick<Command, "name">): boolean {
  return CHANGING.has(name);
}

/** Returns whether a command that may change something does so with these options. */
export function isChanging({ name }: Pick<Command, "name">, options: Context["options"]): boolean {
  if (options["dryRun"] === true || (name === "rescore" && options["book"] !== true)) return false;
  const set = Object.entries(options).filter(([option, value]) => option !== "clientId" && value);
  return !SHOWING.has(name) || set.length > 0;
}

/** Runs a command; one that changes something is written to the audit log before, and how it ended after. */
export async function runAudited(command: Command, context: Context): Promise<void> {
  const { database, now, options } = context;
  if (!isAudited(command) || !isChanging(command, options)) return command.run(context);
  const id = uuidv7(now.getTime(), randomBytes(10));
  const subject = idsIn(options).at(-1) ?? null;
  const applicationId = await applicationIn(database, options, subject);
  await addChange(database, { id, at: now, applicationId, credentialId: null, action: actionOf(command), subject });
  let made: string | null = null;
  const print: Context["print"] = (value, lines) => {
    made ??= idsIn(value).find((each) => each !== subject && each !== applicationId) ?? null;
    context.print(value, lines);
  };
  try {
    await command.run({ ...context, print });
  } catch (error) {
    // Without a database, say, the outcome cannot be written either; the error of the command is the one to report.
    const status = error instanceof Refusal || error instanceof UsageError ? 400 : 500;
    await addChangeOutcome(database, id, { status, made: null }).catch(() => {});
    throw error;
  }
  await addChangeOutcome(database, id, { status: 200, made });
}

/** `catalogue alias add` is `catalogue.alias-add`, as actions of the console are named. */
function actionOf({ name }: Command): string {
  const [noun, ...rest] = name.split(" ");
  return rest.length > 0 ? `${noun}.${rest.join("-")}` : noun!;
}

/** The ids of options, or of what a command prints; texts that were typed are never stored. */
function idsIn(named: object): string[] {
  return Object.entries(named).flatMap(([name, value]) =>
    /^id$|Id$/.test(name) && typeof value === "string" && isUuid(value) ? [value] : [],
  );
}

async function applicationIn(tx: Tx, { clientId }: Context["options"], subject: string | null): Promise<string | null> {
  if (typeof clientId === "string") return (await findApplicationByClientId(tx, clientId))?.id ?? null;
  return subject === null ? null : findApplicationOf(tx, subject);
}
