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

// Portuguese of Portugal as on the hosted pages, where possible in words that Brazil uses too: no "equipa", "consola".
export const pt: ConsolePhrases = {
  tag: "pt",
  name: "Português",
  direction: "ltr",
  locale: "pt-PT",
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
