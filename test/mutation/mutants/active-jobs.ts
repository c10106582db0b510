import type { Mutant } from '../mutant';

const spec = 'test/e2e/active-jobs.spec.ts';

/** Who allows active tests, and what bounds them. */
export const activeJobs: readonly Mutant[] = [
  {
    name: 'active jobs: they need no consent',
    file: 'src/modules/retests/launch-rule.ts',
    search: "depth === 'active' ? activeRefusal(target) : null",
    replace: "depth === 'active' && false ? activeRefusal(target) : null",
    spec,
    test: 'is refused where the asset does not allow it',
  },
  {
    name: 'active jobs: a retest of an active check needs no consent',
    file: 'src/modules/retests/retest-permission.ts',
    search: 'isAtPoint(check, target) || (',
    replace: '(isAtPoint(check, target) && false) || (',
    spec,
    test: 'is not tested again without consent',
  },
  {
    name: 'active jobs: members allow them',
    file: 'src/modules/assets/assets.service.ts',
    search: "['labels', 'activeTests', 'requestsPerSecond'] as const",
    replace: "['labels'] as const",
    spec,
    test: 'is refused where the asset does not allow it',
  },
  {
    name: 'active jobs: the proof of the domain is not looked up again',
    file: 'src/modules/jobs/work/job-run.ts',
    search: "begun.depth === 'active' ? await launch.missingProof() : null",
    replace: "begun.depth === 'active' && launch.beacon !== null ? await launch.missingProof() : null",
    spec,
    test: 'looks up the record of the domain again',
  },
  {
    name: 'active jobs: seeds are requested on other origins',
    file: 'src/modules/jobs/domain/seeds.ts',
    search: 'url.protocol === `${scheme}:` && hostOf(url) === host && portOf(url) === port',
    replace: 'url.protocol === `${scheme}:` || hostOf(url) === host || portOf(url) === port',
    spec,
    test: 'are refused with the reason',
  },
  {
    name: 'active jobs: they take the slots of pipelines',
    file: 'src/modules/jobs/domain/job-kind.ts',
    search: "(depth === 'active' ? ACTIVE_JOB_KIND : JOB_KIND)",
    replace: "(depth === 'active' ? JOB_KIND : JOB_KIND)",
    spec,
    test: 'begins within ten seconds',
  },
  {
    name: 'active jobs: a running job does not ask whether it may go on',
    file: 'src/engine/active/traffic.ts',
    search: "if (reason !== null) this.end(new ScanEnd('stopped', reason));",
    replace: '',
    spec: 'test/e2e/active-launches.spec.ts',
    test: 'a withdrawn consent ends the job that runs',
  },
  {
    name: 'active jobs: a retest of what an experiment showed needs no consent',
    file: 'src/modules/retests/retest-permission.ts',
    search: 'await this.baselines.hasExperiment(scope, repeats)',
    replace: 'false',
    spec,
    test: 'is tested again by retests and jobs only with consent',
  },
  {
    name: 'active jobs: a standard job repeats experiments without consent',
    file: 'src/modules/jobs/work/job-test.ts',
    search: '(experimentOf(baseline) === null || activeRefusal(place) === null)',
    replace: 'true',
    spec,
    test: 'is tested again by retests and jobs only with consent',
  },
  {
    name: 'active jobs: secrets in the queries of seeds are kept',
    file: 'src/modules/jobs/domain/seeds.ts',
    search: '[...new URLSearchParams(parameter)].some(isSecretParameter)',
    replace: 'false',
    spec: 'src/modules/jobs/domain/seeds.spec.ts',
    test: 'is not kept',
  },
];
