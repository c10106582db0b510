import type { Mutant } from '../mutant';

const reflection = 'src/engine/protocols/http/reflection.ts';
const reflected = 'src/engine/checks/reflected-input.spec.ts';

/** What built-in checks accept as proof. */
export const checks: readonly Mutant[] = [
  {
    name: 'reflected-input: input in a quoted attribute counts as an element',
    file: reflection,
    search: `this.at = this.after(quote, start);
      return`,
    replace: 'return',
    spec: reflected,
    test: 'a quoted attribute whose quotes are escaped',
  },
  {
    name: 'reflected-input: input in a string of a script counts as code',
    file: 'src/engine/protocols/http/script-code.ts',
    search: 'if (end === null) continue;',
    replace: 'return true;',
    spec: reflected,
    test: 'a string of a script',
  },
  {
    name: 'reflected-input: text that cannot end its element counts',
    file: 'src/engine/checks/reflected-input.ts',
    search: "reflectionIn(second).kind === 'active' ? leaving : null",
    replace: 'leaving',
    spec: reflected,
    test: 'a textarea that it cannot end',
  },
  {
    name: 'parameters: a finding of an earlier version gets no parameter',
    file: 'src/modules/jobs/job-results.ts',
    search: 'if (location === null) continue;',
    replace: 'continue;',
    spec: 'test/e2e/parameter-findings.spec.ts',
    test: 'moves to its parameter with its id and status',
  },
  {
    name: 'parameters: a template of pages has any number of findings',
    file: 'src/engine/spots.ts',
    search: 'spots.length <= MOST_FINDINGS && !isKnown(place)',
    replace: '!isKnown(place)',
    spec: 'test/e2e/parameter-findings.spec.ts',
    test: 'one finding that lists them',
  },
  {
    name: 'parameters: a job confirms any number of fixes',
    file: 'src/engine/scan-run.ts',
    search: '...rest.slice(0, MAX_VERIFIED_SPOTS)',
    replace: '...rest',
    spec: 'src/engine/scan.spec.ts',
    test: 'tests the fixes of at most twenty parameters',
  },
  {
    name: 'parameters: the page of a parameter that fails without it is the control',
    file: 'src/engine/control.ts',
    search: "return blockReason((await session.page(place, 'page')).page) === null ? place : frontPage;",
    replace: 'return place;',
    spec: 'src/engine/scan.spec.ts',
    test: 'where the page of the parameter fails without it',
  },
  {
    name: 'parameters: a job tests any number of parameters',
    file: 'src/engine/checks/reflected-input.ts',
    search: 'all.slice(0, MAX_PARAMETERS_OF_JOB)',
    replace: 'all',
    spec: 'src/engine/scan.spec.ts',
    test: 'says what it leaves out',
  },
  {
    name: 'open-redirect: a meta tag with another name redirects',
    file: 'src/engine/protocols/http/refresh.ts',
    search: ".filter((tag) => attributeOf(tag, 'http-equiv')?.trim().toLowerCase() === 'refresh')",
    replace: '',
    spec: 'src/engine/checks/open-redirect.spec.ts',
    test: 'the meta tag has another name',
  },
];
