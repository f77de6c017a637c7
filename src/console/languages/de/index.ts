import type { ConsolePhrases } from "../../language.ts";
import { account } from "./account.ts";
import { audit } from "./audit.ts";
import { developers } from "./developers.ts";
import { home } from "./home.ts";
import { overview } from "./overview.ts";
import { names } from "./names.ts";
import { people } from "./people.ts";
import { programme } from "./programme.ts";
import { rewards } from "./rewards.ts";
import { receipts } from "./receipts.ts";
import { review } from "./review.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { team } from "./team.ts";

export const de: ConsolePhrases = {
  tag: "de",
  name: "Deutsch",
  direction: "ltr",
  locale: "de-DE",
  shell,
  account,
  signIn,
  home,
  developers,
  team,
  audit,
  overview,
  names,
  people,
  programme,
  rewards,
  receipts,
  review,
};
