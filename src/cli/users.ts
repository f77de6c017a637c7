import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createFiles } from "../adapters/files.ts";
import { isUuid } from "../ids.ts";
import { erasePerson, exportPerson, findPerson, imageKeysOf } from "../privacy/store.ts";
import { Refusal } from "./command.ts";
import type { Command, Context } from "./command.ts";

export const USER_USAGE = `  user export --user-id ID --out FOLDER
                                       all that is stored about a user: export.json and the images of their receipts
  user erase --user-id ID              remove a person; the ledger keeps points without a name`;

export const USER_OPTIONS = { "user-id": { type: "string" }, out: { type: "string" } } as const;

export const USER_COMMANDS: Record<string, Command> = {
  "user export": async (context) => {
    const { database, required, print, now } = context;
    const userId = userIdOf(context);
    const out = required("out");
    const { parts, keys } = await database.tx(async (tx) => {
      if (!(await findPerson(tx, userId))) throw unknownUser();
      return { parts: await exportPerson(tx, userId), keys: await imageKeysOf(tx, userId) };
    });
    await mkdir(out, { recursive: true, mode: 0o700 });
    await writeFile(join(out, "export.json"), JSON.stringify({ exportedAt: now, ...parts }, null, 2), { mode: 0o600 });
    const files = filesOf(context);
    let images = 0;
    for (const key of keys) {
      const image = await files.open(key);
      if (!image) continue;
      await pipeline(image, createWriteStream(join(out, key.replaceAll("/", "-")), { mode: 0o600 }));
      images += 1;
    }
    print({ userId, out, images }, [`${join(out, "export.json")} and ${images} images`]);
  },
  "user erase": async (context) => {
    const { database, now, print } = context;
    const userId = userIdOf(context);
    const keys = await database.tx(async (tx) => {
      if (!(await findPerson(tx, userId))) throw unknownUser();
      const imageKeys = await imageKeysOf(tx, userId);
      await erasePerson(tx, userId, now);
      return imageKeys;
    });
    const files = filesOf(context);
    for (const key of keys) await files.remove(key);
    print({ userId, erasedAt: now, images: keys.length }, [`erased, with ${keys.length} images`]);
  },
};

function userIdOf({ required }: Context): string {
  const userId = required("user-id");
  if (!isUuid(userId)) throw unknownUser();
  return userId;
}

function unknownUser(): Refusal {
  return new Refusal("there is no user with this id, or it is erased already");
}

function filesOf({ config }: Context) {
  return createFiles({ dir: join(config.dataDir, "files") });
}
