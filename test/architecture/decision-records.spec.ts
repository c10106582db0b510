import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(__dirname, '../../docs/adr');
const records = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const TITLE = /^# (\d{4}): (\S.*)$/m;
const STATUS = /^Status: (proposed|accepted|superseded by (\d{4}))$/m;
const SECTIONS = ['Context', 'Decision', 'Rejected options', 'Consequences'];
const REQUIRED = ['Context', 'Decision'];
const MAX_WORDS = 250;

function problemsOf(name: string, text: string): string[] {
  const [, number = '', title = ''] = TITLE.exec(text) ?? [];
  const [, , successor] = STATUS.exec(text) ?? [];
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, section = '']) => section);
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const problems: readonly (readonly [boolean, string])[] = [
    [!text.startsWith('# ') || number !== name.slice(0, 4), `begins with "# ${name.slice(0, 4)}: Decision"`],
    [!STATUS.test(text), 'has a status of template.md'],
    [successor !== undefined && !title.endsWith(`(superseded by ${successor})`), 'names its successor in the title'],
    [sections.join() !== SECTIONS.filter((one) => sections.includes(one)).join(), 'has the sections of template.md'],
    [!REQUIRED.every((one) => sections.includes(one)), 'has a context and a decision'],
    [words > MAX_WORDS, `has at most ${MAX_WORDS} words, not ${words}`],
  ];
  return problems.filter(([broken]) => broken).map(([, rule]) => rule);
}

function rowOf(name: string, text: string): string {
  const [, number = '', title = ''] = TITLE.exec(text) ?? [];
  return [number, `[${title}](${name})`].join(' | ');
}

/** The cells of the table, whatever their padding. */
const rowsOf = (page: string): string[] =>
  [...page.matchAll(/^\| +(\d{4}) +\| +(.*?) +\|$/gm)].map((cells) => cells.slice(1).join(' | '));

it.each(records)('the decision record %s follows docs/adr/template.md', (name) => {
  expect(problemsOf(name, read(name))).toEqual([]);
});

it('docs/adr/README.md lists every decision record with its title', () => {
  expect(rowsOf(read('README.md'))).toEqual(records.map((name) => rowOf(name, read(name))));
});

const record = '# 0001: Work is a row\n\nStatus: accepted\n\n## Context\n\nA.\n\n## Decision\n\nB.\n';

it('accepts a record without rejected options and consequences, and a superseded one', () => {
  const superseded = record.replace('accepted', 'superseded by 0002').replace('a row', 'a row (superseded by 0002)');
  expect([problemsOf('0001-a.md', record), problemsOf('0001-a.md', superseded)]).toEqual([[], []]);
  expect(rowOf('0001-a.md', record)).toBe('0001 | [Work is a row](0001-a.md)');
  expect(rowsOf('| 0001 | [Work is a row](0001-a.md)   |\n')).toEqual([rowOf('0001-a.md', record)]);
});

it.each([
  ['another number in the title', record.replace('0001', '0002'), 'begins with "# 0001: Decision"'],
  ['another form of title', record.replace('0001:', '1.'), 'begins with "# 0001: Decision"'],
  ['no status', record.replace('Status: accepted', 'Accepted, November 2026.'), 'has a status of template.md'],
  ['a successor that only the status names', record.replace('accepted', 'superseded by 0002'), 'names its successor'],
  ['another section', `${record}\n## Figures\n\nC.\n`, 'has the sections of template.md'],
  ['sections in another order', record.replace('Context', 'Consequences'), 'has the sections of template.md'],
  ['no decision', record.replace('## Decision', ''), 'has a context and a decision'],
  ['too many words', record + 'word '.repeat(250), 'has at most 250 words, not 264'],
])('reports %s', (_what, text, rule) => {
  expect(problemsOf('0001-a.md', text)).toContainEqual(expect.stringContaining(rule));
});
