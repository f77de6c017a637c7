import { DEFAULT_TERMS } from "../../src/points/terms.ts";
import { NO_TIERS } from "../../src/points/tiers/keeper.store.ts";
import type { TierKeeper } from "../../src/points/tiers/keeper.store.ts";
import type { ProgramTerms } from "../../src/programs/terms.task.ts";

/** The terms of applications without a programme. */
export const NO_PROGRAMS: ProgramTerms & { readonly tiers: TierKeeper } = {
  termsFor: async () => () => DEFAULT_TERMS,
  termsByRule: async () => DEFAULT_TERMS,
  bonusesAt: async () => null,
  tiersNow: async () => null,
  programsNow: async () => [],
  tiers: NO_TIERS,
};
