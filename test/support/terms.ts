import { DEFAULT_TERMS } from "../../src/points/terms.ts";
import type { ProgramTerms } from "../../src/programs/terms.task.ts";

/** The terms of applications without a programme. */
export const NO_PROGRAMS: ProgramTerms = {
  termsFor: async () => () => DEFAULT_TERMS,
  termsByRule: async () => DEFAULT_TERMS,
  bonusesAt: async () => null,
};
