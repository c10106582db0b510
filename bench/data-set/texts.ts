import type { Random } from './random';

const subjects = [
  'The server',
  'The sign-in page',
  'The order search',
  'The upload',
  'The session cookie',
  'The proxy',
];
const weaknesses = [
  'names its version',
  'accepts TLS 1.0',
  'reflects its input',
  'trusts any origin with credentials',
  'lists its folders',
  'keeps sessions after the sign-out',
  'answers without authentication',
];
const sentences = [
  'It was seen with a plain request from the outside.',
  'An attacker on the same network could read what is sent.',
  'Anyone with the link needs no password.',
  'Set the header in the configuration of the front server and test again.',
  'The same holds for the mobile endpoints.',
  'Update to the version that is supported, and restart the service.',
  'Nothing in the logs shows that it was used.',
];

export const title = (random: Random): string =>
  `${random.pick(subjects)} ${random.pick(weaknesses)} (${random.integerBelow(10_000)})`;

/** One of twenty texts is long. */
export function paragraphs(random: Random): string[] {
  const count = random.integerBelow(20) === 0 ? 12 : 1;
  return Array.from({ length: count }, () => `${random.pick(sentences)} ${random.pick(sentences)}`);
}
