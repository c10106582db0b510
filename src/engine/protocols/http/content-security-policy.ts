import type { Page } from '../../page';
import { metaContents } from './markup';

/** The directives of one policy, each with its values. */
export type Policy = ReadonlyMap<string, readonly string[]>;

const FIELD = 'content-security-policy';

function policyOf(text: string): Policy {
  const directives = new Map<string, readonly string[]>();
  for (const part of text.toLowerCase().split(';')) {
    const [name, ...values] = part.split(/\s/).filter(Boolean);
    // Of directives that are stated twice, browsers take the first.
    if (name !== undefined && !directives.has(name)) directives.set(name, values);
  }
  return directives;
}

const policiesIn = (fields: readonly string[]): Policy[] =>
  fields
    .flatMap((field) => field.split(','))
    .map(policyOf)
    .filter(({ size }) => size > 0);

/** The policies that the header of a page states; all of them hold at once. */
export const headerPolicies = (page: Page): Policy[] => policiesIn(page.headers.all(FIELD));

/** Those of the header and those in the page itself, which cannot say everything that a header can. */
export const policiesOf = (page: Page): Policy[] => [
  ...headerPolicies(page),
  ...policiesIn(metaContents(page.text, FIELD)),
];
