import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { mutated, occurrences } from './mutant';
import { mutants } from './mutants';

const read = (file: string): string => readFileSync(join(__dirname, '../..', file), 'utf8');

describe('the mutants of `npm run test:mutation`', () => {
  it('are at least 25 and have unique names', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(25);
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    'match the sources and name an existing test: %s',
    (_name, mutant) => {
      const source = read(mutant.file);
      expect(occurrences(source, mutant.search)).toBe(1);
      const broken = mutated(mutant, source);
      expect(broken).not.toBe(source);
      // A fault that does not compile would be caught by every test.
      const options = { syntax: 'typescript', decorators: true, tsx: mutant.file.endsWith('.tsx') } as const;
      expect(() => transformSync(broken, { jsc: { parser: options, target: 'es2023' } })).not.toThrow();
      expect(occurrences(read(mutant.titleIn ?? mutant.spec), mutant.test)).toBeGreaterThan(0);
      // Jest replaces the placeholders of titles.
      expect(mutant.test).not.toContain('%');
    },
  );
});
