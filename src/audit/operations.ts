import { Type } from "typebox";
import { operation } from "../http/operation.ts";
import { instant, text } from "../http/schema-members.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../lists/page.ts";
import { AuditList } from "./schema.ts";
import { KEPT_DAYS } from "./retention.ts";

/** GET /audit */
export const listAuditEntries = operation({
  id: "listAuditEntries",
  method: "GET",
  path: "/audit",
  tag: "Reports",
  scope: "audit.read",
  summary: "List what was changed",
  description:
    "What client secrets, people of the console and operators changed in your application, the newest first: settings, " +
    "endpoints, programmes, rewards, aliases and words, client secrets, data and points of users, decisions about receipts, " +
    "exports and erasures. Submissions, enrolments and redemptions are not in it: they are in your lists and the ledger. " +
    `Entries have ids only, cannot be changed, and are kept for ${KEPT_DAYS} days or longer. For the next page, send the value of ` +
    "`next` as `before`. An unknown parameter is a 400.",
  query: Type.Object({
    since: Type.Optional(instant("Only entries from then on.")),
    until: Type.Optional(instant("Only entries before then.")),
    before: Type.Optional(text("Only entries before this one.")),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Entries of a page; ${PAGE_SIZE_DEFAULT} without it or with 0, ${PAGE_SIZE_MAX} at most.`,
      }),
    ),
  }),
  responses: {
    200: {
      description: "A page of entries.",
      schema: AuditList,
      headers: { link: 'Address of the next page: `<…>; rel="next"`; absent on the last.' },
      examples: [
        {
          summary: "An adjustment by a client secret, and a secret that was revoked in the console",
          value: {
            entries: [
              {
                id: "019e8f2d-4c31-7f02-9a6b-3d5e7f091b2c",
                at: "2026-02-02T08:15:30.250Z",
                actor: "credential",
                credentialId: "019e8f2c-0a11-7b3e-9b0d-5f2a8c1e4d70",
                consoleUserId: null,
                action: "adjustPoints",
                targetId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
                madeId: "019e8f2d-4c32-7003-8c3f-1d2e3f405162",
                status: 200,
              },
              {
                id: "019e8f2b-1c31-7f02-9a6b-3d5e7f091b2c",
                at: "2026-02-02T08:12:10.100Z",
                actor: "person",
                credentialId: null,
                consoleUserId: "019e8e00-4c31-7f02-9a6b-3d5e7f091b2c",
                action: "credential.revoke",
                targetId: "019e8f00-0a11-7b3e-9b0d-5f2a8c1e4d70",
                madeId: null,
                status: 200,
              },
            ],
            next: null,
          },
        },
      ],
    },
  },
});
