import { APPLICATION_COMMANDS } from "./application.ts";
import { COUNTRY_COMMAND } from "./application-country.ts";
import { AUDIT_COMMANDS } from "./audit.ts";
import { BALANCE_IMPORT } from "./balance-import.ts";
import { BACKUP_COMMANDS } from "./backup.ts";
import { CATALOGUE_COMMANDS } from "./catalogue.ts";
import { APP_MOVE } from "./app-move.ts";
import { APP_REMOVE } from "./app-remove.ts";
import { CELL_CREATE, CELL_LIST } from "./cell.ts";
import type { Command } from "./command.ts";
import { CONSOLE_COMMANDS } from "./console.ts";
import { CREDENTIAL_COMMANDS } from "./credential.ts";
import { DAY_LIMITS_COMMAND } from "./day-limits.ts";
import { DELIVERY_COMMANDS } from "./webhook-deliveries.ts";
import { IMAGES_MOVE } from "./images.ts";
import { LEDGER_COMMANDS } from "./ledger.ts";
import { LISTEN_COMMANDS } from "./listen.ts";
import { POINTS_SETTINGS_COMMAND } from "./points-settings.ts";
import { PROGRAM_COMMANDS } from "./program.ts";
import { REWARD_COMMANDS } from "./reward.ts";
import { REPORT_COMMANDS } from "./report.ts";
import { RESCORE } from "./rescore.ts";
import { REVIEW_SETTINGS_COMMAND } from "./review-settings.ts";
import { TRIGGER_COMMANDS } from "./trigger.ts";
import { USER_IMPORT } from "./user-import.ts";
import { USER_COMMANDS } from "./users.ts";
import { WEBHOOK_COMMANDS } from "./webhook.ts";

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...APPLICATION_COMMANDS,
  APP_MOVE,
  APP_REMOVE,
  ...CREDENTIAL_COMMANDS,
  DAY_LIMITS_COMMAND,
  COUNTRY_COMMAND,
  POINTS_SETTINGS_COMMAND,
  REVIEW_SETTINGS_COMMAND,
  ...PROGRAM_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...LISTEN_COMMANDS,
  ...TRIGGER_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...USER_COMMANDS,
  USER_IMPORT,
  BALANCE_IMPORT,
  ...CATALOGUE_COMMANDS,
  ...REWARD_COMMANDS,
  ...LEDGER_COMMANDS,
  ...REPORT_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...AUDIT_COMMANDS,
  RESCORE,
  CELL_CREATE,
  CELL_LIST,
  IMAGES_MOVE,
  ...BACKUP_COMMANDS,
];
