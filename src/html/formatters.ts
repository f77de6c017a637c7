// Formatters of numbers, days and plural forms. Making one takes some 20 to 60 µs, and a page writes thousands of
// numbers: those that were made are kept.

/** Locales come from browsers, currencies from applications: no more than these are kept, each some kilobytes. */
const KEPT_MAX = 100;

/** Returns a function that makes a formatter, or returns the one that it made for the same locale and options. */
function keeping<Options extends object, Formatter>(
  make: (locale: string, options: Options) => Formatter,
): (locale: string, options?: Options) => Formatter {
  const kept = new Map<string, Formatter>();
  return (locale, options) => {
    const key = options === undefined ? locale : locale + JSON.stringify(options);
    const known = kept.get(key);
    if (known) return known;
    const made = make(locale, options ?? ({} as Options));
    kept.set(key, made);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return made;
  };
}

export const numberFormat = keeping(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const dateFormat = keeping(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
export const pluralRules = keeping((locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options));
