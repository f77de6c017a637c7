import { home } from "./home.ts";
import { names } from "./names.ts";
import { people } from "./people.ts";
import { programme } from "./programme.ts";
import { rewards } from "./rewards.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

/** The console in English. Its shape is that of every language. */
export const en = {
  tag: "en",
  name: "English",
  direction: "ltr" as "ltr" | "rtl",
  locale: "en-GB",
  shell,
  signIn,
  home,
  names,
  people,
  programme,
  rewards,
};
