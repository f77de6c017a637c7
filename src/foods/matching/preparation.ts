import { fold } from "./words.ts";

// What recipes and diaries say beside an ingredient: how much of it, how it was prepared, and what it is for. It does
// not say what the thing is. Words that do (`minced beef`, `mashed potato`, `tomates pelées`) are not here.

/** Words of preparation that change no food, folded, one line a language. */
const PREPARED = new Set(
  [
    "drained rinsed washed dried-off patted trimmed peeled unpeeled pitted stoned hulled cored deseeded deveined shelled skinned boned deboned scrubbed thawed defrosted softened melted cooled chilled warmed beaten sifted sieved divided separated halved quartered sliced diced cubed chopped julienned shaved torn crumbled crushed flaked snipped squeezed zested spiralized spiralised scattered sprinkled drizzled tossed wilted toasted packed heaped level bruised smashed slivered segmented finely coarsely roughly thinly thickly freshly lightly gently well lengthwise lengthways crosswise diagonally very",
    "gehackt geschnitten gewurfelt geschalt ungeschalt entkernt entsteint abgetropft aufgetaut zerlassen geschmolzen zimmerwarm verquirlt gewaschen geputzt halbiert geviertelt zerbrockelt zerbroselt zerdruckt gepresst gezupft geraspelt gehobelt gestiftelt blattrig filetiert ausgedruckt lauwarm gesiebt angerostet fein grob frisch dunn",
    "cisele coupe egoutte ramolli mou tiede battu epluche denoyaute epepine emiette tombe effeuille rince lave decortique decongele detaille tamise torrefie emince finement grossierement fraichement",
    "troceado cortado escurrido derretido pelado desmenuzado tibio fileteado lavado deshuesado descongelado machacado exprimido tamizado finamente",
    "tagliato sgocciolato sciolto sbattuto sminuzzato snocciolato denocciolato sgusciato scolato sbriciolato ammorbidito tiepido strizzato scongelato setacciato finemente",
  ]
    .join(" ")
    .split(" "),
);
/** Words of preparation behind a comma. Before the thing, and of meat, they name another food (`grated cheese`). */
const NOTED = /\b(?:soaked|blanched|shaken|stirred|removed|skin[ -]?on|skin[ -]?off|bone[ -]?in)\b/;
const NOTED_UNLESS_MEAT = /\b(?:minced|grated|shredded|seeded|whipped)\b/;
const MEAT = /\b(?:beef|pork|lamb|veal|chicken|turkey|meat|steak)\b/i;
/** What a whole fruit or vegetable was cut into: `lime wedges`. */
const CUT_INTO =
  /(?<=\p{L}{3} )(?<!(?:ice|stock|bouillon|potato|fruit|pasta) )(?:wedges|chunks|ribbons|rounds|matchsticks|batons|segments|shavings|cubes)$/iu;
/** Words that make another food of what is before the comma, or name it. */
const DECIDING =
  /\b(?:cooked|boiled|canned|tinned|smoked|dried|ground|minced|mashed|pickled|juice|oil|powder|paste|sauce)\b/;

/** `2`, `1 ½`, `2 à 3`, `½`. */
const NUMBER = String.raw`\d[\d./,½¼¾⅓⅔-]*(?: (?:(?:à|bis|to|or|ou|o|oder) )?[\d½¼¾⅓⅔][\d./,]*)?|[½¼¾⅓⅔]`;
const AMOUNT = String.raw`(?:(?:ca\. |circa |about |environ |unos |unas )?(?:${NUMBER})|an?|half|eine?n?|une?|un[ao]?|mezz[oa]|medi[oa]|some|etwas|qualche|quelques|un[oa]s|algun[oa]s)`;
/** Measures of spoons, hands and packs, which need a number or a joining word: `2 cups flour`, `slice of bread`. */
const MEASURES = String.raw`(?:cups?|tablespoons?|tbsps?\.?|teaspoons?|tsps?\.?|cans?|tins?|jars?|packets?|packages?|bags?|scoops?|shots?|slices?|rashers?|pieces?|sticks?|stalks?|sprigs?|bunch(?:es)?|heads?|wedges?|bowls?|glass(?:es)?|servings?|portions?|ounces?|pounds?|el|tl|dosen?|becher|tassen?|scheiben?|stangen?|zweige?|päckchen|gläser|glas|tranches?|sachets?|boîtes?|bottes?|verres?|tasses?|brins?|cuillères? à (?:soupe|café)|c\. ?à ?(?:[sc]\.|soupe|café|thé)|feuilles?|hojas?|hebras?|foglie|nests?|sheets?|gouttes?|gotas?|gocce|drops?|nester|blätter|pck\.|cucharad(?:it)?as?|lonchas?|rodajas?|vasos?|tazas?|latas?|ramas?|ramitas?|cucchiai(?:o|ni?|no)?|fett[ae]|bicchier[ei]|tazz[ae]|bustin[ae]|ramett[io])`;
/** Those that need no number before them. */
const ALONE = String.raw`(?:pinch(?:es)?|dash(?:es)?|handfuls?|knobs?|dollops?|drizzles?|splash(?:es)?|squeezes?|sprinkles?|prisen?|handvoll|bund|spritzer|klecks|schuss|messerspitzen?|pincées?|poignées?|pizcas?|puñados?|chorrit?os?|pizzic(?:o|hi)|manciat[ae]|mazzett[io]|ciuff[io])`;
const OF = String.raw`(?:of |de |d['’]|di |del |della )`;
const MEASURED = new RegExp(
  String.raw`^(?:${AMOUNT} (?:\([^)]*\) ?)?(?:${ALONE}|${MEASURES}) ${OF}?|${MEASURES} ${OF}|${ALONE} ${OF}?)`,
  "iu",
);
/** A clove of garlic, which is no spice; a tooth of it in Spanish. */
const CLOVES =
  /^(?:\S+ )?(?:cloves? (?:of )?(?=garlic)|(?:knoblauch)?zehen? (?=knoblauch)|gousses? d['’](?=ail)|dientes? de (?=ajo)|spicchi(?:o)? d['’](?=aglio))/iu;
/** What the ingredient is for, and how much of it, behind its name. */
const PURPOSE =
  /,? (?:(?:or more )?(?:to (?:taste|serve|garnish|decorate|finish|spread|drizzle|sprinkle)|for (?:serving|garnish(?:ing)?|frying|greasing|dusting|drizzling|brushing|sprinkling|decoration|topping|the (?:pan|tin))|on (?:top|the side)|at room temperature|as needed|optional|plus (?:more|extra)\b.*)|zu[mr] (?:servieren|braten|garnieren|bestreuen|bestäuben|einfetten|anbraten|frittieren|dekorieren|abschmecken|garnitur)|nach (?:geschmack|belieben)|vom vortag|aus der mühle|in flöckchen|pour (?:servir|la cuisson|décorer|la friture|le moule)|au goût|du moulin|para (?:servir|decorar|freír)|al gusto|per (?:friggere|guarnire|decorare|servire)|q\.? ?b\.?|a piacere|a temperatura ambiente|à température ambiante)\.?$/iu;

/**
 * Returns a typed ingredient without its measure, its preparation and its purpose: `handful of wilted spinach, to
 * serve` is spinach.
 */
export function withoutPreparation(name: string): string {
  const bare = name
    .replaceAll(/\([^)]*\)/g, " ")
    .replace(CLOVES, "")
    .replace(MEASURED, "")
    .replace(PURPOSE, "");
  const [thing = "", ...notes] = bare.split(/, */);
  const isMeat = MEAT.test(thing);
  const isNote = (note: string) => isPrepared(note) || NOTED.test(note) || (!isMeat && NOTED_UNLESS_MEAT.test(note));
  const kept = [withoutWords(thing).replace(CUT_INTO, ""), ...notes.filter((note) => !isNote(note)).map(withoutWords)];
  const text = kept
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(", ");
  return /\p{L}{2}/u.test(text) ? text : name;
}

/** True for what follows a comma where it says how the thing was prepared: `peeled and cut into chunks`. */
function isPrepared(note: string): boolean {
  const words = fold(note).split(/[^a-z]+/);
  return words.some(isPreparation) && !DECIDING.test(words.join(" "));
}

function withoutWords(part: string): string {
  const words = part.split(/\s+/).filter((word) => word !== "");
  const kept = words.filter((word) => !isPreparation(fold(word).replaceAll(/[^a-z-]/g, "")));
  // `chopped and toasted` leaves its joining word at an end.
  while (kept.length > 0 && /^(?:and|und|et|y|e|&)$/i.test(kept.at(-1)!)) kept.pop();
  while (kept.length > 0 && /^(?:and|und|et|y|e|&)$/i.test(kept[0]!)) kept.shift();
  return kept.join(" ");
}

/** True for a word of the table, in any of its forms (`gehackte`, `égouttées`, `troceadas`, `sciolti`). */
function isPreparation(word: string): boolean {
  if (PREPARED.has(word)) return true;
  if (word.length < 4) return false;
  const stem = word.replace(/(?:e[rsnm]?|s|ees?|es)$/, "");
  if (PREPARED.has(stem) || PREPARED.has(`${stem}e`)) return true;
  return /[aeio]s?$/.test(word) && PREPARED.has(word.replace(/[aeio]s?$/, "o"));
}
