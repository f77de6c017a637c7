import { withRecord } from "./intakes/kept.ts";
import { unpackPage, unpackedJson } from "./receipts/packed-forms.ts";
import type { StoredForms } from "./users/personal-data.store.ts";

/** The forms of what an export of personal data shows. */
export const STORED_FORMS: StoredForms = {
  withRecord,
  unpackedFindings: (packed) => unpackedJson(packed) as object,
  unpackedPage: unpackPage,
};
