import { Type } from "typebox";

/** The query parameters of a list, for the document; `readPage` parses them. */
export const pageQuery = Type.Object({
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      default: 20,
      description: "Entries per page. 0 means 20; more than 100 means 100.",
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      default: 1,
      description: "Number of the page, from 1. 0 means 1. A page past the end is empty.",
    }),
  ),
  First: Type.Optional(
    Type.Boolean({ default: false, description: "Returns only the newest entry. Overrides All. In any letter case." }),
  ),
  All: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Returns the newest 5,000 entries without pages, and a Link to more if there are any. In any letter case.",
    }),
  ),
  timeframe: Type.Optional(
    Type.String({
      default: "all",
      description:
        "Returns only entries created in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks " +
        "start on Monday), the last days, weeks, months or years (`30d`, `4w`, `6m`, `1y`), the last ISO 8601 duration " +
        "(`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case.",
      examples: ["month", "30d", "2026-01-01/2026-02-01"],
    }),
  ),
});

/** Headers of a response with a list. */
export const PAGE_HEADERS = {
  link: "Addresses of the first, prev, next and last page (RFC 8288). Follow `next` until there is none.",
};
