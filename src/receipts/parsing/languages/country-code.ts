import { COUNTRIES } from "./vocabulary.ts";

// The country of a user is any text: `DE`, `de`, `Germany`, `Deutschland`.

/** Names by key: in English and in the languages of the country. Made at the first use. */
let codes: ReadonlyMap<string, string> | undefined;

function codesByName(): ReadonlyMap<string, string> {
  const namesIn = new Map<string, Intl.DisplayNames>();
  const nameIn = (language: string, code: string): string[] => {
    const names = namesIn.get(language) ?? new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    namesIn.set(language, names);
    return [names.of(code) ?? []].flat();
  };
  return new Map(
    COUNTRIES.flatMap(({ code, name, names = [], languages }) =>
      [name, ...names, ...["en", ...languages].flatMap((language) => nameIn(language, code))].map(
        (written) => [keyOf(written), code] as const,
      ),
    ),
  );
}

function keyOf(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^\p{L}]/gu, "")
    .toLowerCase();
}

/** Returns the ISO 3166-1 alpha-2 code of a country; null for a text that names none. */
export function countryCodeOf(text: string): string | null {
  const written = text.trim();
  codes ??= codesByName();
  return codes.get(keyOf(written)) ?? (/^[A-Za-z]{2}$/.test(written) ? written.toUpperCase() : null);
}
