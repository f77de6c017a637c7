import { MINUTE_MS, SECOND_MS } from "./time.ts";

/** Calls, failures and attempts are limited by the minute, as their settings say (`…_PER_MINUTE`). */
export const WINDOW_MS = MINUTE_MS;
export const WINDOW_SECONDS = WINDOW_MS / SECOND_MS;
