import type { Mutant } from '../mutant';

const spec = 'test/e2e/blocked-retests.spec.ts';
const gate = 'src/modules/jobs/domain/incomplete-checks.ts';
const ofGate = 'src/modules/jobs/domain/incomplete-checks.spec.ts';

/** Guards of refusals, which show no fix. */
export const blocked: readonly Mutant[] = [
  {
    name: 'blocked: any number of blocked checks counts as completed',
    file: gate,
    search: 'const MAX_REFUSED_SHARE = 0.1;',
    replace: 'const MAX_REFUSED_SHARE = 1;',
    spec: ofGate,
    test: 'counts as completed while at most a tenth',
  },
  {
    name: 'blocked: a check with an open finding counts as completed',
    file: gate,
    search: 'areFew && !openChecks.has(check) &&',
    replace: 'areFew &&',
    spec: ofGate,
    test: 'is incomplete where a finding of the check is open',
  },
  {
    name: 'blocked: a refused payload counts as completed',
    file: gate,
    search: ' && !isOfPoint(check)',
    replace: '',
    spec: ofGate,
    test: 'at insertion points',
  },
  {
    name: 'blocked: a person gives it by hand',
    file: 'src/modules/retests/domain/retest-status.ts',
    search: 'RETEST_RESULTS.filter((result) => RESULT_EFFECTS[result].byHand)',
    replace: '[...RETEST_RESULTS]',
    spec,
    test: 'no person gives the verdict blocked by hand',
  },
  {
    name: 'blocked: a confirmation is for all of the origin unasked',
    file: 'src/modules/retests/baselines.service.ts',
    search: '...(isForOrigin ? alike : [])',
    replace: '...alike',
    spec,
    test: 'counts for all findings of the origin that are refused alike',
  },
  {
    name: 'blocked: what the setting resolved passes the gate when it is off',
    file: 'src/modules/jobs/data/job-findings.repository.ts',
    search: "r.by_refusal IS DISTINCT FROM 'setting' OR",
    replace: 'true OR',
    spec: 'test/e2e/blocked-retests.spec.ts',
    test: 'what the setting resolved stays resolved when it is off again',
  },
];
