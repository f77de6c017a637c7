import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Application } from "../applications/application.ts";
import { isPrivate } from "../config.ts";
import type { Config } from "../config.ts";
import type { Images } from "../images/open-images.ts";
import { MoveRefused } from "../moving/alone.task.ts";
import { cleanMove, moveApplication, undoMove } from "../moving/move.task.ts";
import type { MoveDeps } from "../moving/move.task.ts";
import { waitsFor } from "../moving/quiet.task.ts";
import { hasCell } from "../postgres/cells.store.ts";
import type { Database } from "../postgres/postgres.ts";
import { leaseMsFor } from "../webhooks/retry.ts";
import { CLIENT_ID, closedOrNot } from "./client-id.ts";
import { Refusal, UsageError, command, flag, optional } from "./command.ts";
import type { Command, Context, Given } from "./command.ts";
import { withImages } from "./opened-images.ts";
import { atTimes } from "./report-times.ts";
import { TARGET_DETAILS, withTarget } from "./target-cell.ts";

const OPTIONS = {
  clientId: CLIENT_ID,
  toSchema: optional("NAME", "the schema of the other cell"),
  address: optional("URL", "the public address of the other cell, which calls are referred to from then on"),
  undo: flag("open it here again, and remove what was copied; only as long as it has not moved"),
  clean: flag("remove what is left of it here after the move, but for the note where it is"),
} as const;

/** The command that moves an application to another cell. */
export const APP_MOVE: Command = command({
  name: "app move",
  summary: "move an application with all its users, points, receipts and keys to another cell",
  details:
    "Closes the application, copies and compares its rows and images, verifies the ledger of the copy, and opens it there. Meanwhile its calls get 503 with Retry-After, and after the move 410 with the new address. Whenever the command ends early, run it again with the same options: it goes on. " +
    `Processes of both cells must be of this release. ${TARGET_DETAILS}`,
  options: OPTIONS,
  examples: [
    "app move --client-id app_… --to-schema south --address https://south.example",
    "app move --client-id app_… --to-schema south --undo",
    "app move --client-id app_… --clean",
  ],
  run: async (context) => {
    const application = await closedOrNot(context.database, context.options.clientId);
    try {
      if (context.options.clean) await clean(context, application);
      else await move(context, application);
    } catch (error) {
      throw error instanceof MoveRefused ? new Refusal(error.message) : error;
    }
  },
});

type MoveContext = Context<Given<typeof OPTIONS>>;

async function move(context: MoveContext, application: Application): Promise<void> {
  const { database: source, config, options, print, report } = context;
  const { toSchema, address, undo } = options;
  if (toSchema === undefined) throw new UsageError("--to-schema NAME is missing");
  await withTarget(context, toSchema, async (target) => {
    if (!(await hasCell(target.database, toSchema))) {
      throw new Refusal(`there is no cell ${toSchema} there: make it with cell create`);
    }
    requireOtherPlace(config, target);
    await withImagesAt(source, config, (here) =>
      withImagesAt(target.database, target, async (there) => {
        const deps: MoveDeps = {
          source,
          target: target.database,
          files: { source: here.files, target: there.files },
          waits: waitsFor(leaseMsFor(config.webhookTimeoutMs)),
          now: () => new Date(),
          report: atTimes(report),
        };
        const { name, clientId } = application;
        if (undo) {
          await undoMove(deps, application);
          return print({ clientId, isOpen: true }, [`${name} is open here again`]);
        }
        const to = addressOf(address);
        for (const { bucket } of [here, there]) await bucket?.check();
        const moved = await moveApplication(deps, application, to);
        const missing = moved.imagesMissing === 0 ? "" : ` (${moved.imagesMissing} images were missing here before)`;
        print({ clientId, movedTo: to, ...moved }, [
          `${name} is at ${to}: ${moved.rows} rows and ${moved.images} images${missing}`,
          `Here its rows are left, and refuse every change. Remove them: app move --client-id ${clientId} --clean`,
        ]);
      }),
    );
  });
}

async function clean({ database: source, config, now, options, print, report }: MoveContext, application: Application) {
  const { rows, images } = await withImagesAt(source, config, (here) =>
    cleanMove({ source, files: { source: here.files }, report: atTimes(report) }, application, now),
  );
  print({ clientId: options.clientId, rows, images }, [
    `${rows} rows and ${images} images of ${application.name} are removed here`,
  ]);
}

function addressOf(address: string | undefined): string {
  if (address === undefined) throw new UsageError("--address URL is missing");
  const url = isPrivate(address) ? new URL(address) : null;
  if (!url || url.search || url.hash || url.username || url.password) {
    throw new Refusal("--address must be an https address without query and credentials");
  }
  return address.replace(/\/+$/, "");
}

type Place = Pick<Config, "dataDir" | "images">;

/** Runs `work` with the images of a cell. */
async function withImagesAt<Result>(
  database: Database,
  place: Place,
  work: (images: Images) => Promise<Result>,
): Promise<Result> {
  const dataDir = resolve(place.dataDir);
  // In a bucket alone, a folder is for temporary files.
  if (place.images.first === "folder" && !existsSync(dataDir)) {
    throw new Refusal(`there is no folder ${dataDir}: is it the one of the cell?`);
  }
  return withImages({ database, config: { ...place, dataDir } }, work);
}

/** Images that no row names are removed: no other cell may have its own in the same place. */
function requireOtherPlace(source: Place, target: Place): void {
  if (resolve(source.dataDir) === resolve(target.dataDir)) {
    throw new Refusal("both cells have the same folder: set TARGET_DATA_DIR");
  }
  const [here, there] = [source.images.s3, target.images.s3];
  if (
    here &&
    there &&
    here.bucket === there.bucket &&
    here.prefix === there.prefix &&
    here.endpoint === there.endpoint
  ) {
    throw new Refusal(
      "both cells have the same place in the same bucket: set TARGET_IMAGES_S3_BUCKET and TARGET_IMAGES_S3_PREFIX as the other cell has them",
    );
  }
}
