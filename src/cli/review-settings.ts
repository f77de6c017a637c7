import { CHECK_NAMES } from "../receipts/checks/check.ts";
import type { CheckName } from "../receipts/checks/check.ts";
import type { ReviewSettings } from "../receipts/holding/review.ts";
import { reviewSettings, setReviewSettings } from "../receipts/holding/store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional } from "./command.ts";
import { flagOf } from "./parse.ts";

/** `app review` */
export const REVIEW_SETTINGS_COMMAND = command({
  name: "app review",
  summary:
    "set which of its receipts are held for review; options not given stay, without options it shows the settings",
  details:
    "A held receipt waits for POST /track/receipts/{id}/decision. It is held if it was read with less than " +
    "--min-confidence, or if a check of --hold-on is doubtful; one that fails is held if all checks that it fails are " +
    `listed. Nothing is held by default. Checks: ${CHECK_NAMES.join(", ")}.`,
  options: {
    clientId: CLIENT_ID,
    minConfidence: optional("SHARE|off", "confidence of the reading, 0 to 1, below which a receipt is held"),
    holdOn: optional("CHECK,…|none", "checks that hold a receipt"),
  },
  examples: [
    "app review --client-id app_… --min-confidence 0.6 --hold-on amount_as_declared,picture_unedited",
    "app review --client-id app_… --min-confidence off --hold-on none",
  ],
  run: async ({ database, now, options: { clientId, minConfidence, holdOn }, print }) => {
    const settings = await database.tx(async (tx) => {
      const { id } = await applicationOf(tx, clientId);
      const set = await reviewSettings(tx, id);
      if (minConfidence === undefined && holdOn === undefined) return set;
      const wanted: ReviewSettings = {
        minConfidence: minConfidence === undefined ? set.minConfidence : confidenceOf(minConfidence),
        holdOn: holdOn === undefined ? set.holdOn : checksOf(holdOn),
      };
      await setReviewSettings(tx, id, wanted, now);
      return wanted;
    });
    print({ clientId, ...settings }, [
      settings.minConfidence === null
        ? "no receipt is held for its confidence"
        : `receipts read with a confidence below ${settings.minConfidence} are held`,
      settings.holdOn.length === 0
        ? "no check holds a receipt"
        : `these checks hold a receipt: ${settings.holdOn.join(", ")}`,
    ]);
  },
});

function confidenceOf(given: string): number | null {
  if (given === "off") return null;
  const share = /^(?:0|1|0?\.\d{1,4}|1\.0+)$/.test(given) ? Number(given) : -1;
  if (share < 0) throw new Refusal(`${flagOf("minConfidence")} must be a number from 0 to 1, or off`);
  return share;
}

function checksOf(given: string): CheckName[] {
  if (given === "none") return [];
  return [...new Set(given.split(","))].map((name) => {
    const known = CHECK_NAMES.find((each) => each === name.trim());
    if (!known) throw new Refusal(`${flagOf("holdOn")} names no check: ${name}; there are ${CHECK_NAMES.join(", ")}`);
    return known;
  });
}
