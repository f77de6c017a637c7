// An offset can move an instant out of the years that RFC 3339 and PostgreSQL can write.
const YEAR_1_MS = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000_MS = Date.parse("+010000-01-01T00:00:00Z");

/**
 * Parses an RFC 3339 time with a zone to ms since 1970. Returns null if it is invalid (no zone, month 13, 29 February
 * 2025). A leap second counts as the second after it.
 */
export function parseInstant(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1) return null;
  const zone = match[8]!;
  const [zoneHours, zoneMinutes] = zone.length === 1 ? [0, 0] : [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (zoneHours > 23 || zoneMinutes > 59) return null;
  const offsetMinutes = (zone.startsWith("-") ? -1 : 1) * (zoneHours * 60 + zoneMinutes);
  const milliseconds = Math.trunc(Number(`0${match[7] ?? ""}`) * 1000);
  const instant = midnight.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + milliseconds;
  return instant >= YEAR_1_MS && instant < YEAR_10000_MS ? instant : null;
}

/** Returns whether a text looks like an e-mail address: one @, a local part, a host name with or without dots. */
export function isEmail(text: string): boolean {
  return /^[^\s\p{Cc}@"<>]{1,64}@[^\s\p{Cc}@"<>.]+(\.[^\s\p{Cc}@"<>.]+)*$/u.test(text.trim());
}

/** The pattern of the last four digits of a card. */
export const FOUR_DIGITS = "^[0-9]{4}$";
