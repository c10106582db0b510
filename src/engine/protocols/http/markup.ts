const SEARCHED_CHARACTERS = 300_000;
/** Of one name. Each is read with several expressions. */
const MAX_TAGS = 2_000;

/** Both are read in one pass over the pieces: a page may open many comments and close none. */
const without = (text: string, open: RegExp, close: string): string =>
  text
    .split(open)
    .map((piece, at) => {
      if (at === 0) return piece;
      const end = piece.toLowerCase().indexOf(close);
      return end < 0 ? '' : piece.slice(end + close.length);
    })
    .join(' ');

/** The tags of that name in a page, from `<` up to their end; not those in comments and scripts. */
export function tagsOf(text: string, name: string): string[] {
  const markup = without(without(text.slice(0, SEARCHED_CHARACTERS), /<!--/, '-->'), /<script/i, '</script');
  return (markup.match(new RegExp(`<${name}\\s[^<>]{0,4000}`, 'gi')) ?? []).slice(0, MAX_TAGS);
}

const ENTITIES: Readonly<Record<string, string>> = { '&#39;': "'", '&#x27;': "'", '&apos;': "'", '&quot;': '"' };

/** The value of a tag's attribute, or null if it has none of that name. */
export function attributeOf(tag: string, name: string): string | null {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s?=\\s?(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  const value = double ?? single ?? bare;
  return value?.replace(/&(?:#39|#x27|apos|quot);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity) ?? null;
}

/** What the page's `meta` tags say under a name, be it stated as `name` or as `http-equiv`. */
export const metaContents = (text: string, name: string): string[] =>
  tagsOf(text, 'meta')
    .filter((tag) =>
      [attributeOf(tag, 'name'), attributeOf(tag, 'http-equiv')].some((is) => is?.toLowerCase() === name),
    )
    .map((tag) => attributeOf(tag, 'content') ?? '');
