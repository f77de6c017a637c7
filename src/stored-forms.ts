import { withRecord } from "./intakes/kept.ts";
import type { StoredIntake } from "./intakes/kept.ts";
import { unpackSubmission } from "./intakes/stored/packed-submission.ts";
import { unpackBody } from "./points/packed-body.ts";
import { unpackPage, unpackedJson } from "./receipts/packed-forms.ts";
import type { StoredForms } from "./users/personal-data.store.ts";

/** The forms of what an export of personal data shows. */
export const STORED_FORMS: StoredForms = {
  withRecord: ({ submission, packed, body, packed_body: packedBody, ...intake }) =>
    withRecord({
      ...intake,
      submission: packed ? unpackSubmission(packed) : submission,
      record: packedBody ? unpackBody(packedBody, intake.id) : body,
    } as unknown as StoredIntake),
  withBody: ({ submission_id: submissionId, body, packed, ...record }) => ({
    ...record,
    body: packed ? unpackBody(packed, submissionId) : body,
  }),
  unpackedFindings: (packed) => unpackedJson(packed) as object,
  unpackedPage: unpackPage,
};
