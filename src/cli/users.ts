import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import type { FileKey, FileStore } from "../files.ts";
import { isUuid } from "../ids.ts";
import { eraseUser } from "../users/erase.task.ts";
import { STORED_FORMS } from "../stored-forms.ts";
import { createTierKeeper } from "../points/tiers/keeper.store.ts";
import { createTerms } from "../programs/terms.task.ts";
import { exportUserData, userImageKeys } from "../users/personal-data.store.ts";
import type { ShownTier } from "../users/schema.ts";
import { findUserByEmail } from "../users/store.ts";
import { normaliseEmail, presentUser } from "../users/user.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, required } from "./command.ts";
import type { Command } from "./command.ts";
import { requireImages, withImages } from "./opened-images.ts";

const USER_ID = required("ID", "the user, by the userID of the enrolment response");

export const USER_COMMANDS: readonly Command[] = [
  command({
    name: "user find",
    summary: "find the user of an e-mail address, with the balance and the tier",
    options: { clientId: CLIENT_ID, email: required("ADDRESS", "as it was enrolled, in any letter case") },
    examples: ["user find --client-id app_… --email robin@example.org"],
    run: async ({ database, now, options: { clientId, email }, print }) => {
      const { id: applicationId } = await applicationOf(database, clientId);
      const user = await findUserByEmail(database, applicationId, normaliseEmail(email));
      if (!user) throw new Refusal("the application has no user with this address");
      const { tiersNow } = createTerms({ database, groupOf: () => null, now: () => now });
      const { id: userId, lifetimePoints } = user;
      const keeper = createTierKeeper({ tiersNow, publishAll: null });
      const tier = await keeper.shown(database, { applicationId, userId, lifetimePoints }, now);
      const shown = { ...presentUser(user), tier };
      print({ user: shown }, [
        `${shown.userID}  ${shown.availablePoints} points to spend, ${shown.lifetimePoints} in all, ` +
          `${shown.numOfTransactions} transactions, enrolled ${shown.createdAt}`,
        ...(tier ? [tierLine(tier)] : []),
      ]);
    },
  }),
  command({
    name: "user export",
    summary: "export all data of a user: export.json and the images of their receipts",
    options: { userId: USER_ID, to: required("DIR", "a folder; created if it is missing") },
    examples: ["user export --user-id 01a1… --to ./robin"],
    run: async ({ database, config, options: { userId, to }, print, now }) => {
      checkUserId(userId);
      const { parts, keys } = await database.snapshot(async (tx) => ({
        parts: await exportUserData(tx, userId, STORED_FORMS),
        keys: await userImageKeys(tx, userId),
      }));
      if (parts["profile"]?.length !== 1) throw new Refusal("there is no user with this id, or it is erased already");
      requireImages(config, keys.length > 0);
      const dir = resolve(to);
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const exported = JSON.stringify({ exportedAt: now, ...parts }, null, 2);
      await writeFile(join(dir, "export.json"), exported, { mode: 0o600 });
      const images = await withImages({ database, config }, ({ files }) => saveImages(files, keys, dir));
      print({ userId, dir, images }, [`${join(dir, "export.json")} and ${images} images`]);
    },
  }),
  command({
    name: "user erase",
    summary: "erase a person; the ledger keeps their points without a name",
    options: { userId: USER_ID },
    details: "If it is interrupted, or something turns up later, the same command finishes it.",
    examples: ["user erase --user-id 01a1…"],
    run: async ({ database, config, now, options: { userId }, print }) => {
      checkUserId(userId);
      requireImages(config, (await userImageKeys(database, userId)).length > 0);
      const { erasedReceiptDays } = config;
      const erased = await withImages({ database, config }, ({ files }) =>
        eraseUser({ database, files, erasedReceiptDays }, userId, now),
      );
      if (!erased) throw unknownUser();
      if (!erased.isFinished) {
        throw new Refusal(
          "the person is erased, but not all images: their store is away. Run it again when it is back",
        );
      }
      print({ userId, ...erased }, [`erased, with ${erased.images} images`]);
    },
  }),
];

/** Returns the number of images that were there. */
async function saveImages(files: FileStore, keys: readonly FileKey[], dir: string): Promise<number> {
  let images = 0;
  for (const key of keys) {
    const image = await files.open(key);
    if (!image) continue;
    await pipeline(image, createWriteStream(join(dir, key.replaceAll("/", "-")), { mode: 0o600 }));
    images += 1;
  }
  return images;
}

function tierLine({ name, points, since, next }: NonNullable<ShownTier>): string {
  const reached = since === null ? "" : `, since ${since}`;
  const missing = next === null ? "" : `; ${next.missingPoints} more for ${next.name}`;
  return `tier ${name === "" ? "none" : name}${reached}: ${points} points count${missing}`;
}

function checkUserId(userId: string): void {
  if (!isUuid(userId)) throw unknownUser();
}

function unknownUser(): Refusal {
  return new Refusal("there is no user with this id");
}
