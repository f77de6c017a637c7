// The API of the specification, written down a second time so that tests compare the document with the specification:
// the endpoints with the members of requests and responses, the events, the enumerations.

const USER =
  "userID email lifetimePoints availablePoints numOfTransactions totalCarbonScore totalGreenProducts createdAt updatedAt";
const NUTRITION = "energyKcal proteinG carbsG fatG sugarG fiberG saltG";
const MERCHANT = "name logo website domain country";
const ENROLLMENT = "email firstName lastName imageUrl country city postalCode";
const INGREDIENT_SCORED =
  "foodId name imageUrl weight unit quantity amount currency carbonImpactRating healthImpactRating co2e";

/** The ten endpoints: `path` with `{}` for an id, and the members of request, query and response. */
export const SPEC_ENDPOINTS = [
  {
    method: "post",
    path: "/users/enroll",
    status: "200",
    body: ENROLLMENT,
    required: "email firstName lastName",
    response: "user",
  },
  {
    method: "post",
    path: "/users/enroll/session",
    status: "200",
    body: `${ENROLLMENT} redirectUri`,
    required: "email firstName lastName",
    response: "redirectUrl",
  },
  {
    method: "post",
    path: "/track/receipts/session",
    status: "200",
    body: "userId transactionId amount merchantName redirectUri transactionTimestamp",
    required: "userId",
    response: "redirectUrl",
  },
  {
    method: "post",
    path: "/track/receipts",
    status: "200",
    query: "testBlobUri",
    body: "userId transactionId amount merchantName receiptImage transactionTimestamp",
    required: "userId transactionId amount merchantName receiptImage transactionTimestamp",
    response: "receiptID message",
  },
  { method: "get", path: "/track/receipts/{}/status", status: "200", response: "status receiptID receiptStatusDoc" },
  {
    method: "post",
    path: "/track/meals",
    status: "202",
    body: "userId logId transactionId mealName imageUrl loggedAt mealType country location metadata ingredients",
    required: "userId mealName imageUrl loggedAt mealType",
    response: "id trackId message",
  },
  {
    method: "post",
    path: "/track/food",
    status: "202",
    body: "userId logId transactionId foodId name imageUrl merchant weight unit nutrition quantity amount currency",
    required: "userId foodId name imageUrl merchant weight unit nutrition",
    response: "id trackId message",
  },
  { method: "get", path: "/users/{}/summary", status: "200", response: "user" },
  {
    method: "get",
    path: "/users/{}/transactions",
    status: "200",
    query: "pageSize page First All timeframe",
    response: "transactions count",
  },
  { method: "get", path: "/users/{}/transactions/{}", status: "200", response: "transaction" },
] as const;

/** The members of resources, by the name of the schema in the document. */
export const SPEC_SCHEMAS: Readonly<Record<string, string>> = {
  User: USER,
  TransactionRecord: "id userID totalPoints operation transaction reward bonus status createdAt updatedAt",
  Transaction:
    "brand createdAt excludedItems items externalTransactionID location logo partnerType transactionSource transactionID " +
    "timestamp totalAmount totalBonusPoints totalCO2e totalGreenProducts totalHealthPoints totalPoints updatedAt userID",
  Item:
    "externalId name cleanedName qty pricePerUnit partnerType bonusPoints healthPoints id imageURL totalServicePoints " +
    "totalCO2e carbonImpactRating healthImpactRating carbonDataSource matchedIngredientName",
  Reward:
    "id name voucherIdentifier brand category code description imageUrl logoUrl location offer points value tier terms validTill",
  Bonus: "profileId firstName lastName type",
  Ingredient: "foodId name imageUrl merchant weight unit quantity amount currency nutrition",
  Merchant: MERCHANT,
  Nutrition: NUTRITION,
  Problem: "type title status detail instance errors",
  ScoredIngredient: INGREDIENT_SCORED,
  CreditedIngredient: `${INGREDIENT_SCORED} totalPoints totalCarbonPoints totalHealthPoints`,
};

/** The events and their members. The specification does not list the members of receipt events. */
export const SPEC_EVENTS: Readonly<Record<string, string>> = {
  "intake.received": "event source transactionId trackId userId loggedAt country createdAt",
  "intake.scored":
    "event source transactionId trackId name imageUrl userId mealType ingredients loggedAt country totalAmount currency " +
    "totalCo2e carbonImpactRating healthImpactRating createdAt",
  "intake.completed":
    "event source transactionId trackId userId totalAmount currency ingredients totalPoints totalGreenProducts " +
    "totalHealthyProducts totalCo2e totalHealthPoints totalCarbonPoints createdAt",
  "intake.failed": "event source transactionId trackId userId errorType errorMessage failedAt",
  receipt_uploaded: "event",
  receipt_extracted: "event",
  receipt_validated: "event",
  receipt_completed: "event",
  receipt_failed: "event errorCode",
  "rewards.awarded": "eventType data",
};

/** The enumerations, by their place in the document. */
export const SPEC_WORDS: Readonly<Record<string, string>> = {
  "/components/schemas/Meal/properties/mealType": "breakfast lunch dinner snack other",
  "/components/schemas/IntakeFailed/properties/errorType":
    "NO_VALID_FOOD_ITEMS OLD_MEAL_LOG DUPLICATE_MEAL DATA_INCOMPLETE INTERNAL_ERROR",
  "/components/schemas/ReceiptFailed/properties/errorCode":
    "MERCHANT_NAME_NOT_FOUND NO_VALID_FOOD_ITEMS NOT_AUTHENTIC ALREADY_EXISTS",
  "/components/schemas/ReceiptStatus/properties/status": "Uploaded Extracted Enriched Validated Scored Completed",
};

/** The statuses for each kind of endpoint. */
export const SPEC_STATUSES = {
  /** The 404 of an unknown or expired session comes from its hosted page. */
  session: ["400", "401", "500"],
  intake: ["400", "500"],
} as const;
