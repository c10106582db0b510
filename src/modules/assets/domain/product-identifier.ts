import { invalid } from '../../../kernel/domain-error';

export const MAX_IDENTIFIER_LENGTH = 512;

/** What a segment of a package URL may contain: unreserved characters, colons and percent-encoded bytes. */
const SEGMENT = /^(?:[\w.~:-]|%[0-9A-Fa-f]{2})+$/;
const TYPE = /^[a-z][a-z0-9.-]*$/;
const QUALIFIER = /^([a-z][a-z0-9._-]*)=((?:[\w.~:/,-]|%[0-9A-Fa-f]{2})+)$/;

/** Encoded separators, and segments that would leave the path. */
const isSegment = (text: string): boolean => SEGMENT.test(text) && !/%2f/i.test(text);
const isSubpathSegment = (text: string): boolean => isSegment(text) && text !== '.' && text !== '..';

/** Splits a text at the last separator; the second part is undefined without one. */
function splitLast(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function areQualifiers(text: string): boolean {
  const keys = text.split('&').map((pair) => QUALIFIER.exec(pair)?.[1]);
  return !keys.includes(undefined) && new Set(keys).size === keys.length;
}

/** Throws unless the text is a package URL: `pkg:type/namespace/name@version?qualifiers#subpath`. */
export function requirePackageUrl(text: string): void {
  const refusal = (why: string) =>
    invalid(`purl must be a package URL, such as pkg:npm/%40example/shop@4.2.0: ${why}.`);
  if (!text.startsWith('pkg:')) throw refusal('it does not begin with pkg:');
  const [beforeSubpath, subpath] = splitLast(text.slice('pkg:'.length), '#');
  const [beforeQualifiers, qualifiers] = splitLast(beforeSubpath, '?');
  const [path, version] = splitLast(beforeQualifiers, '@');
  const [type = '', ...names] = path.split('/');
  if (!TYPE.test(type)) throw refusal('its type must be lower-case letters, digits, periods and hyphens');
  if (names.length === 0 || !names.every(isSegment))
    throw refusal('after its type it needs a name, whose special characters are percent-encoded');
  if (version !== undefined && !SEGMENT.test(version)) throw refusal('its version is not valid');
  if (qualifiers !== undefined && !areQualifiers(qualifiers))
    throw refusal('its qualifiers must be pairs such as arch=amd64, separated by &, each key once');
  if (subpath !== undefined && !subpath.split('/').every(isSubpathSegment)) throw refusal('its subpath is not valid');
}

/** A component of a CPE: a text in which special characters are escaped, with wildcards at its ends; or `*` or `-`. */
const COMPONENT = String.raw`(?:[*-]|(?:\?+|\*)?(?:[a-z0-9._-]|\\[!-/:-@[-\`{-~])+(?:\?+|\*)?)`;
const LANGUAGE = String.raw`(?:[*-]|[a-z]{2,3}(?:-(?:[a-z]{2}|[0-9]{3}))?)`;
const CPE = new RegExp(`^cpe:2\\.3:[aho](?::${COMPONENT}){5}:${LANGUAGE}(?::${COMPONENT}){4}$`, 'i');

/** Throws unless the text is a CPE 2.3 formatted string (NISTIR 7695). */
export function requireCpe(text: string): void {
  if (CPE.test(text)) return;
  throw invalid(
    'cpe must be a CPE 2.3 formatted string, such as cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*. It has a part (a, h or o) and ten components, whose special characters are escaped.',
  );
}
