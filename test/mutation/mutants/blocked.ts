import type { Mutant } from '../mutant';

const spec = 'test/e2e/blocked-retests.spec.ts';
const ofPortal = 'test/e2e/portal-refusals.spec.ts';
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
    name: 'blocked: the setting is not explained where a refusal is not of the site itself',
    file: 'src/engine/verdict-reasons.ts',
    search: "policy.refusalsCountAsFixed === true ? FOREIGN_REFUSAL : ''",
    replace: "''",
    spec: 'src/engine/refused-alone.spec.ts',
    test: 'is fixed by a setting if the site itself refuses it, and only then',
  },
  {
    name: 'blocked: members see the form that confirms a refusal',
    file: 'src/portal/findings/refusal.tsx',
    search: '{mayDecide ? (\n            <ConfirmForm',
    replace: '{refusal !== null ? (\n            <ConfirmForm',
    spec: ofPortal,
    test: 'leads admins to the confirmation, and tells others who can confirm',
  },
  {
    name: 'blocked: a text of the target names users of other organizations',
    file: 'src/portal/findings/finding-reader.ts',
    search: 'const names = await this.people.namesOf([',
    replace:
      "const names = await this.people.namesOf([...retests.map(({ reason }) => Number(/user (\\d+)/.exec(reason ?? '')?.[1] ?? 0)),",
    spec: ofPortal,
    test: 'a reason by the target names no user of another organization',
  },
  {
    name: 'blocked: the gate says a reason twice',
    file: gate,
    search: "said.includes(reason) ? '' : `: ${reason}`",
    replace: '`: ${reason}`',
    spec: ofPortal,
    test: 'shows the fact, its meaning and the remedy separately, once and without words of the API',
  },
  {
    name: 'blocked: a fix by refusal looks like any other',
    file: 'src/portal/frame/badges.tsx',
    search: "byRefusal === null ? (result ?? status) : 'fixed_by_refusal'",
    replace: 'result ?? (byRefusal ?? status)',
    spec: ofPortal,
    test: 'a confirmed refusal replaces the blocked verdict, with name, time and reason',
  },
  {
    name: 'blocked: what the setting resolved passes the gate when it is off',
    file: 'src/modules/jobs/data/known-findings.ts',
    search: "r.by_refusal IS DISTINCT FROM 'setting' OR",
    replace: 'true OR',
    spec: 'test/e2e/blocked-retests.spec.ts',
    test: 'what the setting resolved stays resolved when it is off again',
  },
];
