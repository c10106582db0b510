import type { Mutant } from '../mutant';

const rules = 'src/modules/jobs/domain/job-reference.ts';
const unit = 'src/modules/jobs/domain/job-reference.spec.ts';
const e2e = 'test/e2e/job-references.spec.ts';
const repository = 'src/modules/jobs/data/job-references.repository.ts';

/** What a pipeline that fails for new findings alone compares with. */
export const references: readonly Mutant[] = [
  {
    name: 'references: any key records a job',
    file: 'src/modules/jobs/job-references.service.ts',
    search: 'if (!reference.accessKeys.includes(accessKey)) throw keyNotNamed(name);',
    replace: '',
    spec: e2e,
    test: 'is written by the keys that an admin named alone',
  },
  {
    name: 'references: an unfinished job is recorded',
    file: 'src/modules/jobs/job-references.service.ts',
    search: "if (job.status !== 'FINISHED' || finished === null) throw notRecordable();",
    replace: 'if (finished === null) return false;',
    spec: e2e,
    test: 'is written by the keys that an admin named alone',
  },
  {
    name: 'references: that of another organization is compared with',
    file: repository,
    search: 'sql`r.organization_id = ${organizationId} AND r.asset_id',
    replace: 'sql`r.organization_id > 0 * ${organizationId} AND r.asset_id',
    spec: e2e,
    test: 'fails only for what the recorded job did not have',
  },
  {
    name: 'references: a pipeline without one succeeds',
    file: rules,
    search: 'return { ...outcome, success: false, description: `${problem} ${outcome.description}` };',
    replace: 'return { ...outcome, description: `${problem} ${outcome.description}` };',
    spec: unit,
    test: 'the gate that fails for new findings alone',
  },
  {
    name: 'references: a finding that was fixed since is known',
    file: rules,
    search: "if (still.length === 0) return 'fixed_since';",
    replace: "if (still.length === 0) return 'known';",
    spec: unit,
    test: 'the gate that fails for new findings alone',
  },
  {
    name: 'references: a fix by a job is not looked for',
    file: repository,
    search: 'WHERE f.id IS NULL OR coalesce(main.status, f.status) = 5 OR EXISTS (',
    replace: 'WHERE f.id IS NULL AND EXISTS (',
    spec: e2e,
    test: 'fails for a finding that was fixed since',
  },
  {
    name: 'references: a finding that is more severe now is known',
    file: rules,
    search: 'still.some(({ severity }) => severity >= place.severity)',
    replace: 'still.length > 0',
    spec: unit,
    test: 'the gate that fails for new findings alone',
  },
  {
    name: 'references: one known place hides the new ones of a finding',
    file: 'src/modules/jobs/domain/job-success.ts',
    search: 'accepted === null && isKnown !== true;',
    replace: 'accepted === null;',
    spec: unit,
    test: 'fails for a finding of several places',
  },
  {
    name: 'references: what was not tested at a place is compared by the place',
    file: 'src/modules/jobs/job-places.ts',
    search: '({ ...row, location: null, account: null })',
    replace: '({ ...row, account: null })',
    spec: 'src/modules/jobs/job-places.spec.ts',
    test: 'a finding at a place that was not tested is new',
  },
];
