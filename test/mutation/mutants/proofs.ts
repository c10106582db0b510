import type { Mutant } from '../mutant';

const jobs = 'test/e2e/jobs.spec.ts';
const verification = 'test/e2e/finding-verification.spec.ts';
const gate = 'src/modules/jobs/data/job-findings.repository.ts';
const later = 'takes what it has seen for gone only after a test by the same template';
const raised = 'with a lower severity get that of the check that the job ran';
const confirmed = 'a confirmation or a retest raises the severity to that of the check';

/** Guards of what a check of this service has shown. */
export const proofs: readonly Mutant[] = [
  {
    name: 'proofs: a member replaces the template that has shown a weakness',
    file: 'src/modules/findings/scans/check-replacement.ts',
    search: 'if (isOther && (await this.isKept(finding, check, target)))',
    replace: 'if (false as boolean)',
    spec: jobs,
    test: 'keeps the template that has shown a weakness',
  },
  {
    name: 'proofs: a member replaces a check of people that has shown a weakness',
    file: 'src/modules/findings/scans/check-replacement.ts',
    search: 'return !isOfJob && target.isByAdmin !== true;',
    replace: 'return false;',
    spec: 'test/e2e/retest-checks.spec.ts',
    test: 'keeps the check that has shown it, unless an admin',
  },
  {
    name: 'proofs: a gate takes a test by another template for a fix',
    file: gate,
    search: "AND ${digestOf('r')} = coalesce(s.template_digest, ${digestOf('f')})",
    replace: '',
    spec: jobs,
    test: later,
  },
  {
    name: 'proofs: a gate takes the word of a person for a fix of what it has seen',
    file: gate,
    search: 'AND r.judged_by IS NULL',
    replace: '',
    spec: jobs,
    test: later,
  },
  {
    name: 'proofs: undoing an import removes what a check has confirmed',
    file: 'src/modules/findings/scans/undone-scans.service.ts',
    search: 'mergedInto === null && created.has(id)',
    replace: 'false && created.has(id)',
    spec: verification,
    test: 'undoing an import keeps a finding that a check has confirmed',
  },
  {
    name: 'proofs: a job leaves the lower severity of a person',
    file: 'src/modules/findings/scans/finding-recorder.ts',
    search: 'target.jobUuid !== null && (await this.raisedBy(seen, found))',
    replace: 'false',
    spec: jobs,
    test: raised,
  },
  {
    name: 'proofs: a member who has edited the severity keeps it low',
    file: 'src/modules/findings/scans/repeated-results.service.ts',
    search: 'worst.isProof === true && stated !== undefined',
    replace: 'false && stated !== undefined',
    spec: jobs,
    test: raised,
  },
  {
    name: 'proofs: a check raises a severity that an admin has lowered',
    file: 'src/modules/findings/scans/repeated-results.service.ts',
    search: ' && !isLower(finding, stated);',
    replace: ';',
    spec: jobs,
    test: raised,
  },
  {
    name: 'proofs: a confirmation leaves the severity',
    file: 'src/modules/findings/findings.service.ts',
    search: "if (verification.result === 'confirmed') await",
    replace: 'if (false as boolean) await',
    spec: verification,
    test: confirmed,
  },
  {
    name: 'proofs: a check that a person has written raises the severity',
    file: 'src/modules/findings/scans/proved-checks.ts',
    search: "(typeof http === 'string' && (await this.library.hasSource(checkId, http)))",
    replace: "typeof http === 'string'",
    spec: verification,
    test: confirmed,
  },
  {
    name: 'proofs: a proof is merged into a claim',
    file: 'src/modules/findings/domain/merge.ts',
    search: "if (part.verification === 'confirmed' && main.verification !== 'confirmed')",
    replace: 'if (false as boolean)',
    spec: 'test/e2e/finding-merges.spec.ts',
    test: 'are refused with the reason when they cannot be',
  },
  {
    name: 'proofs: an undone import keeps what is merged into a proved finding',
    file: 'src/modules/findings/scans/undone-scans.service.ts',
    search: "verification === 'confirmed' && mergedInto === null && ",
    replace: "verification === 'confirmed' && ",
    spec: 'test/e2e/alike-findings.spec.ts',
    test: 'do not keep the import from being undone, which removes its finding',
  },
];
