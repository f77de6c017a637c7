/** Entries are kept for this time, in days; the database refuses to delete younger ones. */
export const KEPT_DAYS = 400;
