import { readCatalogue } from "../foods/catalogue/store.ts";
import { createResolver } from "../foods/lookup/resolve.ts";
import { withCandidates } from "../unknown-names/candidates.store.ts";
import { unknownNames } from "../unknown-names/list.store.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { UsageError, command, optional } from "./command.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";

const NAMES_SHOWN = 20;
const NAMES_MAX = 100;

/** `catalogue unknown` */
export const UNKNOWN_NAMES = command({
  name: "catalogue unknown",
  summary: "names of receipts, meals and foods that nothing was matched with, the most frequent first",
  details: 'Give a name a meaning with "catalogue alias add". --food-id not-food says that it is not a food.',
  options: {
    clientId: CLIENT_ID,
    spendIn: optional("CURRENCY", "the highest spend in this currency first"),
    limit: optional("N", `names, at most ${NAMES_MAX}; ${NAMES_SHOWN} by default`),
  },
  examples: ["catalogue unknown --client-id app_…"],
  run: async ({ database, options: { clientId, spendIn, limit = String(NAMES_SHOWN) }, print }) => {
    if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > NAMES_MAX) {
      throw new UsageError(`--limit must be a whole number from 1 to ${NAMES_MAX}`);
    }
    const { id: applicationId } = await applicationOf(database, clientId);
    const currency = spendIn?.toUpperCase() ?? null;
    const query = { applicationId, from: null, before: null, currency, offset: 0, limit: Number(limit) };
    const { total, names } = await unknownNames(database, query);
    const catalogue = readCatalogue();
    const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
    const shown = await withCandidates({ database, resolver }, applicationId, names);
    print({ names: shown, count: total }, [
      `${total} unknown names`,
      ...shown.map(({ name, times, users, spend, candidates }) => {
        const paid = spend.map((each) => `${each.amount} ${each.currency}`).join(", ");
        const foods = candidates.map((each) => `${each.foodId} ${each.confidence}`).join(", ");
        return `${name}  ${times} times by ${users} users  ${paid}  ${foods || "no candidate"}`;
      }),
    ]);
  },
});
