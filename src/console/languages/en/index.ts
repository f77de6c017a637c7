import { home } from "./home.ts";
import { receipts } from "./receipts.ts";
import { review } from "./review.ts";
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
  receipts,
  review,
};
