const SEARCHED_CHARACTERS = 1_000_000;
const MAX_ADDRESSES = 200;

/** A quoted address, possibly escaped by a source map: a path of the site, or a relative path that looks like a program. */
const ADDRESS =
  /\\?["'`]((?:https?:)?\/[\w\-./~:${}%]{1,200}(?:\?[\w\-./~:${}%=&+,[\]]{0,300})?|[\w-]{1,60}(?:\/[\w\-:${}]{1,60}){0,6}(?:\.(?:php|aspx?|jsp|do|action|cgi|json)|(?=\?))(?:\?[\w\-./~:${}%=&+,[\]]{0,300})?)\\?["'`+]/g;
/** Placeholders of templates and routers. */
const PLACEHOLDER = /\$\{[^{}]{0,80}\}|\{[\w-]{1,40}\}|(?<=\/):\w{1,40}\??/g;

/** Routes and endpoints that a script names. Placeholders are replaced by usual values. */
export function addressesInScript(text: string): string[] {
  const found = new Set<string>();
  for (const [, address = ''] of text.slice(0, SEARCHED_CHARACTERS).matchAll(ADDRESS)) {
    if (found.size >= MAX_ADDRESSES) break;
    const filled = address.replace(PLACEHOLDER, '1').replace(/=$/, '=1');
    // Remains of templates are not addresses.
    if (/[a-z]/i.test(filled) && !/[${}]|\/\/\//.test(filled) && !/^\/\/?$/.test(filled)) found.add(filled);
  }
  return [...found];
}

const SOURCE_MAP = /\/\/[#@]\s?sourceMappingURL=([^\s'"]{1,500})\s*$/;

/** The address of the source map that a script names at its end. */
export const sourceMapOf = (text: string): string | null => {
  const address = SOURCE_MAP.exec(text.slice(-2_000))?.[1] ?? null;
  return address?.startsWith('data:') === true ? null : address;
};
