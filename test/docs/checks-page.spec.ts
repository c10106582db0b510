import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS } from '../../src/engine';
import { checksPage } from './checks-page';

const page = checksPage();

it('docs/checks.md is up to date with the code (npm run docs:checks)', () => {
  expect(readFileSync(join(__dirname, '../../docs/checks.md'), 'utf8')).toBe(page);
});

it('docs/checks.md has one section for each check, and links to it', () => {
  const sections = page.split('\n').filter((line) => line.startsWith('### '));
  expect(sections.toSorted()).toEqual(CHECKS.map(({ id }) => `### ${id}`).toSorted());
  for (const { id } of CHECKS) expect(page).toContain(`| [${id}](#${id})`);
});

it('the README states the number of checks', () => {
  const stated = /(\d+) built-in checks/.exec(readFileSync(join(__dirname, '../../README.md'), 'utf8'))?.[1];
  expect(stated).toBe(`${CHECKS.length}`);
});

it('docs/checks.md says in one sentence how to fix each weakness', () => {
  const fixes = page.split('\n').filter((line) => line.startsWith('**How to fix it.**'));
  expect(fixes).toHaveLength(CHECKS.length);
  for (const fix of fixes) expect(fix).toMatch(/^\*\*How to fix it\.\*\* [A-Z].{20,300}[.]$/);
});
