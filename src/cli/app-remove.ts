import { MoveRefused } from "../moving/alone.task.ts";
import { applicationImageKeys } from "../moving/images.task.ts";
import { waitsFor } from "../moving/quiet.task.ts";
import { removeApplication } from "../moving/remove.task.ts";
import type { Removal } from "../moving/remove.task.ts";
import { RULES } from "../moving/rules.ts";
import { StorageUnavailable } from "../storage-failures.ts";
import { leaseMsFor } from "../webhooks/retry.ts";
import { CLIENT_ID, closedOrNot } from "./client-id.ts";
import { Refusal, command, required } from "./command.ts";
import type { Command } from "./command.ts";
import { requireImages, withImages } from "./opened-images.ts";
import { atTimes } from "./report-times.ts";

/** What does not go with an application: rows that others share, and logs. None has personal data of its users. */
const KEPT = Object.keys(RULES).filter((name) => ["shared", "log"].includes(RULES[name]!.kind));

/** The command that removes an application. */
export const APP_REMOVE: Command = command({
  name: "app remove",
  summary: "remove an application with all its users, points, receipts and keys, for good",
  details:
    "Closes the application: its secrets and sessions end at once. Waits until nothing of it is in progress, writes the number of its users, records and points to the audit log, removes its images and rows, then itself, and counts what is left in each table: none, or exit code 1. Make a back-up first: there is no way back. Whenever the command ends early, run it again: it goes on, and prints what that run removed. " +
    `Kept, without personal data: ${KEPT.join(", ")}. Back-ups made before still have it.`,
  options: {
    clientId: CLIENT_ID,
    yesRemove: required("NAME", "the name of the application, as app list shows it: that this is the one you mean"),
  },
  examples: ['app remove --client-id app_… --yes-remove "My app"'],
  run: async ({ database, config, options: { clientId, yesRemove }, print, report }) => {
    const { id, name } = await closedOrNot(database, clientId);
    if (yesRemove !== name) throw new Refusal("--yes-remove is not the name of this application: see app list");
    const waits = waitsFor(leaseMsFor(config.webhookTimeoutMs));
    requireImages(config, !(await applicationImageKeys(database, id).next()).done);
    const deps = { database, waits, now: () => new Date(), report: atTimes(report) };
    const removal = await withImages({ database, config }, ({ files }) =>
      removeApplication({ ...deps, files }, id),
    ).catch((error: unknown) => {
      throw asRefusal(error);
    });
    const left = Object.keys(removal.left);
    print(
      { clientId, applicationId: id, name, ...removal, isRemoved: left.length === 0, kept: KEPT },
      linesOf(removal),
    );
    if (left.length > 0) throw new Refusal(`rows of it are left in ${left.join(", ")}`);
  },
});

function asRefusal(error: unknown): unknown {
  if (error instanceof MoveRefused) return new Refusal(error.message);
  if (!(error instanceof StorageUnavailable)) return error;
  return new Refusal(
    "it is closed, but not all its images are removed: their store is away. Run it again when it is back",
  );
}

function linesOf({ sums, images, removed, left }: Removal): string[] {
  const names = [...new Set([...Object.keys(removed), ...Object.keys(left)])].sort();
  const total = (rows: Readonly<Record<string, number>>) => Object.values(rows).reduce((sum, n) => sum + n, 0);
  return [
    `before: ${sums}`,
    ...names.map((name) => `${name}: ${removed[name] ?? 0} rows removed, ${left[name] ?? 0} left`),
    `in all: ${total(removed)} rows and ${images} images removed, ${total(left)} rows left in all tables`,
  ];
}
