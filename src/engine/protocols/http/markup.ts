const SEARCHED_CHARACTERS = 300_000;
/** Per tag name. Each is searched with several expressions. */
const MAX_TAGS = 2_000;

/** One pass over the pieces, because a page may open many comments without closing them. */
const without = (text: string, open: RegExp, close: string): string =>
  text
    .split(open)
    .map((piece, at) => {
      if (at === 0) return piece;
      const end = piece.toLowerCase().indexOf(close);
      return end < 0 ? '' : piece.slice(end + close.length);
    })
    .join(' ');

/** The tags with this name in a page, from `<` to their end, without those in comments and scripts. */
export function tagsOf(text: string, name: string): string[] {
  const markup = without(without(text.slice(0, SEARCHED_CHARACTERS), /<!--/, '-->'), /<script/i, '</script');
  return (markup.match(new RegExp(`<${name}\\s[^<>]{0,4000}`, 'gi')) ?? []).slice(0, MAX_TAGS);
}

const ENTITIES: Readonly<Record<string, string>> = { '&#39;': "'", '&#x27;': "'", '&apos;': "'", '&quot;': '"' };

/** The value of a tag's attribute, or null if the tag does not have it. */
export function attributeOf(tag: string, name: string): string | null {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s?=\\s?(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  const value = double ?? single ?? bare;
  return value?.replace(/&(?:#39|#x27|apos|quot);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity) ?? null;
}

/** The contents of the page's `meta` tags with this `name` or `http-equiv`. */
export const metaContents = (text: string, name: string): string[] =>
  tagsOf(text, 'meta')
    .filter((tag) =>
      [attributeOf(tag, 'name'), attributeOf(tag, 'http-equiv')].some((is) => is?.toLowerCase() === name),
    )
    .map((tag) => attributeOf(tag, 'content') ?? '');
