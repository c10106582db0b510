import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from './entry-types';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');

/** The rows of the table in the documentation, without the spaces that align it. */
const rows = Object.entries(KINDS).map(([kind, { data, optional = {}, changed = {}, isDeleted, further = {} }]) => {
  const isChanged = Object.keys(changed).length > 0;
  const types = [
    ...(isChanged ? ['created', 'changed'] : []),
    ...(isDeleted ? ['deleted'] : []),
    ...Object.keys(further),
  ];
  const all = isChanged
    ? { ...data, ...optional }
    : Object.assign({}, ...Object.values(further).map((one) => one.data));
  const shown = Object.keys(all as object);
  return `| \`${kind}\` | ${code(types)} | ${code(shown)} | ${code(Object.keys(changed))} |`.replace(/ {2,}/g, ' ');
});

it('the documentation has a row for each kind of record, with its types, its data and its changes', () => {
  const text = readFileSync(join(__dirname, '../../../../docs/feed.md'), 'utf8').replace(/ {2,}/g, ' ');
  expect(text.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});
