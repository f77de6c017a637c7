// The stored form of the events of submissions: packed, since a submission has four or five, and their texts repeat one
// another. Other events are rare, and stored as they are sent. What is unpacked is the same text, byte for byte.
import { createPackedJson, packedLead } from "../packed-json/packed-json.ts";
import type { Known } from "../packed-json/tokens.ts";

// Both lists are stored by their places: append only. An object of no shape here is stored as text, with its event.
// Findings, the bodies of records and what explains them have lists of their own, even where the words are the same: a
// place in one list must not depend on what another one needs, and what comes often differs.

const namesIn = (text: string): string[] => text.split(" ");

const OF_INTAKE = "event source transactionId trackId userId";
const OF_RECEIPT = "event receiptId receiptID transactionId userId createdAt";
const INGREDIENT =
  "foodId name imageUrl weight unit quantity amount currency carbonImpactRating healthImpactRating co2e";
const ITEM =
  "externalId name cleanedName qty pricePerUnit partnerType id imageURL matchedIngredientName bonusPoints " +
  "healthPoints totalServicePoints totalCO2e carbonImpactRating healthImpactRating carbonDataSource";
const SHAPES = [
  `${OF_INTAKE} loggedAt country createdAt`,
  `${OF_INTAKE} name imageUrl mealType ingredients loggedAt country totalAmount currency totalCo2e ` +
    "carbonImpactRating healthImpactRating createdAt",
  INGREDIENT,
  `${OF_INTAKE} totalAmount currency ingredients totalPoints totalGreenProducts totalHealthyProducts totalCo2e ` +
    "totalHealthPoints totalCarbonPoints createdAt",
  `${INGREDIENT} totalPoints totalCarbonPoints totalHealthPoints`,
  `${OF_INTAKE} errorType errorMessage failedAt`,
  "eventType data",
  "user transaction",
  "id availablePoints lifetimePoints",
  "transactionID totalPoints items",
  "name carbonImpactRating healthImpactRating totalServicePoints",
  `${OF_RECEIPT} merchantName amount transactionTimestamp`,
  `${OF_RECEIPT} extractedData`,
  "userID receiptID merchantName merchantAddress country currency receiptType items subTotal total accuracy " +
    "transactionDate transactionTime receiptSource",
  "description quantity totalPrice accuracy cleanedName category",
  `${OF_RECEIPT} businessName checks`,
  "name outcome score reason",
  `${OF_RECEIPT} items excludedItems totalAmount currency totalPoints totalCarbonPoints totalHealthPoints ` +
    "totalGreenProducts totalHealthyProducts totalCo2e",
  ITEM,
  `${ITEM} exclusionReason`,
  `${OF_RECEIPT} errorCode errorMessage stage failedAt`,
  `${OF_RECEIPT} errorCode errorMessage stage failedAt duplicateOf`,
  `${OF_RECEIPT} because`,
].map(namesIn);

/** Strings that come often: 64 of one byte, then of two. */
const WORDS: readonly string[] = [
  "",
  ...namesIn("intake.received intake.scored intake.completed intake.failed rewards.awarded"),
  ...namesIn("food meal g kg ml l piece portion"),
  ...namesIn("GB DE AT CH FR IT ES PT NL BE IE SE DK NO FI PL CZ US"),
  ...namesIn("GBP EUR CHF SEK DKK NOK PLN CZK USD"),
  ...namesIn("breakfast lunch dinner snack other"),
  ...namesIn("receipt_uploaded receipt_extracted receipt_validated receipt_completed receipt_failed receipt_held"),
  ...namesIn("api hosted_page discount void passed failed doubtful not_checked grocery restaurant"),
  // From here on two bytes.
  ...namesIn("online DISCOUNT BAG DEPOSIT NON_FOOD NO_MATCH ALCOHOL VOID REFUND LOW_CONFIDENCE TOBACCO"),
  ...namesIn("INFANT_FORMULA SUPPLEMENT PET_FOOD NOT_ELIGIBLE"),
  ...namesIn("merchant_as_declared amount_as_declared time_as_declared card_as_declared lines_add_up date_is_past"),
  ...namesIn("readable picture_unedited picture_is_photo picture_of_paper picture_is_new purchase_is_new"),
  ...namesIn("pace_of_user purchase_is_recent"),
  "no merchant was declared",
  "the declared merchant is named on the receipt",
  "no amount was declared",
  "the total is the declared amount",
  "no time was declared",
  "the receipt is of the declared day",
  "no card was declared",
  "the lines add up to the total",
  "the date of the receipt is not in the future",
  "the receipt could be read well",
  "the picture's file names no program for editing pictures",
  "the picture has the light and shade of a photo",
  "the picture shows no grid of a screen",
  "pictures that show nearly the same print show another receipt",
  "no picture shows nearly the same print",
  "no other receipt is of this purchase",
  "the number of receipts a day is not limited",
  "the age of receipts is not limited",
];

const PACKED = createPackedJson({ shapes: SHAPES, words: WORDS });

/** The columns of an event that its body repeats. */
export interface EventColumns {
  readonly userId: string;
  readonly subject: string;
  readonly createdAt: Date;
}

/** The events of a tx have one time. */
let lastTime = { ms: 0, text: new Date(0).toISOString() };

function knownOf({ userId, subject, createdAt }: EventColumns): Known {
  const ms = createdAt.getTime();
  if (lastTime.ms !== ms) lastTime = { ms, text: createdAt.toISOString() };
  return { ownerId: subject, strings: [userId, subject, lastTime.text] };
}

/** Packs an event; null: it is stored as text. */
export function packEvent(event: object, columns: EventColumns): Buffer | null {
  const { transactionId } = event as { transactionId?: string };
  return PACKED.pack(event, transactionId ?? null, knownOf(columns));
}

/** Returns the body of an event as it was packed. */
export function unpackEvent(packed: Buffer, columns: EventColumns): string {
  return JSON.stringify(PACKED.unpack(packed, knownOf(columns)));
}

/** The bytes after the first of each packed event with this `transactionId`. */
export const packedReference = packedLead;
