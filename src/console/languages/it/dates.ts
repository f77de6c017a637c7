// Articles and prepositions before a date, which begins with its day: "il 3", but "l’8" and "l’11".

const isElided = (date: string) => /^(?:8|11)\b/.test(date);

/** On a day: "il 3 nov 2026". */
export const il = (date: string): string => (isElided(date) ? `l’${date}` : `il ${date}`);

/** From a day on: "dal 3 nov 2026". */
export const dal = (date: string): string => (isElided(date) ? `dall’${date}` : `dal ${date}`);

/** Until a day: "al 3 nov 2026". */
export const al = (date: string): string => (isElided(date) ? `all’${date}` : `al ${date}`);
