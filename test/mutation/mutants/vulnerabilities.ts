import type { Mutant } from '../mutant';

const spec = 'test/e2e/vulnerabilities.spec.ts';
const loader = 'src/modules/vulnerabilities/vulnerability-loader.ts';
const download = 'src/modules/vulnerabilities/work/vulnerability-download.ts';

/** Public data about CVEs, and the priorities that follow from it. */
export const vulnerabilities: readonly Mutant[] = [
  {
    name: 'an older file replaces a newer one',
    file: loader,
    search: 'if (known === undefined || allowOlder || released >= known.released) return;',
    replace: 'if (known === undefined || allowOlder || released <= known.released) return;',
    spec,
    test: 'refuses an older file',
  },
  {
    name: 'a gzip bomb is read to its end',
    file: loader,
    search: 'if (size > maxBytes)',
    replace: 'if (size < 0)',
    spec,
    test: 'a gzip bomb',
  },
  {
    name: 'a CVE that is twice in a file keeps its first score',
    file: loader,
    search: 'if ((await this.repository.addScores(piece)) === piece.length) return;',
    replace: 'if ((await this.repository.addScores(piece)) >= 0) return;',
    spec,
    test: 'a CVE twice',
  },
  {
    name: 'a file that was cut off in its last line is loaded',
    file: 'src/modules/vulnerabilities/domain/epss-file.ts',
    search: "if (rest !== '')",
    replace: "if (rest === '-')",
    spec,
    test: 'a last line without an end',
  },
  {
    name: 'redirects are followed without end',
    file: download,
    search: 'redirects <= MAX_REDIRECTS',
    replace: 'redirects <= 30',
    spec,
    test: '/circle',
  },
  {
    name: 'an entry in the catalog makes a finding less urgent',
    file: 'src/modules/findings/domain/priority.ts',
    search: 'kev: kev ? KEV_STEPS : 0',
    replace: 'kev: kev ? -1 : 0',
    spec: 'src/modules/findings/domain/priority.spec.ts',
    test: 'is never less urgent',
  },
];
