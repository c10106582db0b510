import { isVarying, pathOf } from '../insertion-point';

/** Nouns and verbs of pages that show something. */
const READING = new Set(
  `index home main start welcome about contact help faq imprint impressum legal privacy terms sitemap
  search find suche suchen recherche buscar cerca list show view get read fetch browse detail page print
  item product produit producto produkt article artikel category kategorie post story blog news gallery image photo
  catalog catalogue shop store user profile member author tag topic thread forum question answer review price map
  calendar archive overview summary report dashboard history info information status health ping version
  login signin feed rss atom documentation manual guide test example demo lang language
  by id name all new of the for and in on with me my api rest web public json xml html htm txt csv php jsp jspx aspx asp do cgi`
    .trim()
    .split(/\s+/),
);

/** A plural names a list. */
const PLURAL = /^[a-z]{3,}[^s\W\d_iu]s$|^[a-z]{3,}ies$/;

/** Parameters whose values select a page. */
const ROUTED =
  /[?&](?:page|view|mod|module|option|controller|route|r|p|section|tab|show|site|content|file|include)=([a-z][\w./-]{0,60})/gi;

const READING_OPERATION = /^(?:get|list|find|search|read|fetch|show|view|count)(?=[A-Z_]|$)/;

const isReading = (word: string): boolean => word.length < 3 || READING.has(word) || PLURAL.test(word);

const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);

/** Whether the name of a page or operation shows that it only reads. For other names this is unknown. */
export function isNamedToRead(path: string, operation = ''): boolean {
  if (READING_OPERATION.test(operation)) return true;
  const named = pathOf(path)
    .split('/')
    .findLast((segment) => segment !== '' && !isVarying(segment) && !/^v\d{1,2}$/.test(segment));
  const routed = [...path.matchAll(ROUTED)].map(([, value = '']) => value);
  return [named ?? '', ...routed].every((name) => wordsOf(name).every(isReading));
}
