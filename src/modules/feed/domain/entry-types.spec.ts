import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from './entry-types';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');

/** The rows of the table in the documentation, without the spaces that align it. */
const rows = Object.entries(KINDS).map(([kind, { data, optional = {}, changed, isDeleted, further = {} }]) => {
  const types = ['created', 'changed', ...(isDeleted ? ['deleted'] : []), ...Object.keys(further)];
  const shown = [...new Set([...Object.keys(data), ...Object.keys(optional)])];
  return `| \`${kind}\` | ${code(types)} | ${code(shown)} | ${code(Object.keys(changed))} |`;
});

it('the documentation has a row for each kind of record, with its types, its data and its changes', () => {
  const text = readFileSync(join(__dirname, '../../../../docs/feed.md'), 'utf8').replace(/ {2,}/g, ' ');
  expect(text.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
