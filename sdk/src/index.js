export { createRewards } from "./client.js";
export { ConnectionError, ProblemError, RewardsError, TimeoutError, WebhookError } from "./errors.js";
export { verifyWebhook } from "./webhook.js";
