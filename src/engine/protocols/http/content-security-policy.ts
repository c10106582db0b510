import type { Page } from '../../page';
import { metaContents } from './markup';

/** The directives of one policy, each with its values. */
export type Policy = ReadonlyMap<string, readonly string[]>;

const FIELD = 'content-security-policy';

function policyOf(text: string): Policy {
  const directives = new Map<string, readonly string[]>();
  for (const part of text.toLowerCase().split(';')) {
    const [name, ...values] = part.split(/\s/).filter(Boolean);
    // If a directive is repeated, browsers use the first one.
    if (name !== undefined && !directives.has(name)) directives.set(name, values);
  }
  return directives;
}

const policiesIn = (fields: readonly string[]): Policy[] =>
  fields
    .flatMap((field) => field.split(','))
    .map(policyOf)
    .filter(({ size }) => size > 0);

/** The policies in the headers of a page. All of them apply at once. */
export const headerPolicies = (page: Page): Policy[] => policiesIn(page.headers.all(FIELD));

/** The policies in the headers and in the page itself. Those in the page cannot use all directives. */
export const policiesOf = (page: Page): Policy[] => [
  ...headerPolicies(page),
  ...policiesIn(metaContents(page.text, FIELD)),
];
