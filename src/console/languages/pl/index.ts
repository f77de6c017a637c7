import type { ConsolePhrases } from "../../language.ts";
import { account } from "./account.ts";
import { audit } from "./audit.ts";
import { developers } from "./developers.ts";
import { home } from "./home.ts";
import { names } from "./names.ts";
import { overview } from "./overview.ts";
import { people } from "./people.ts";
import { programme } from "./programme.ts";
import { receipts } from "./receipts.ts";
import { review } from "./review.ts";
import { rewards } from "./rewards.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { team } from "./team.ts";

/** The console in Polish. */
export const pl: ConsolePhrases = {
  tag: "pl",
  name: "Polski",
  direction: "ltr",
  locale: "pl-PL",
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
