import type { Mutant } from '../mutant';

const spec = 'test/e2e/machine-events.spec.ts';
const planSpec = 'test/e2e/event-plans.spec.ts';
const turn = 'src/modules/machine-events/plan-turn.ts';

/** Guards of what machine events send by themselves. */
export const machineEvents: readonly Mutant[] = [
  {
    name: 'machine events: the plan goes on outside of the windows',
    file: turn,
    search: "if (mode !== 'test' || !terms.isOpen) {",
    replace: "if (mode !== 'test') {",
    spec,
    test: 'sends nothing outside of its windows',
  },
  {
    name: 'machine events: a pause does not stop what runs',
    file: turn,
    search: 'for (const target of running) await this.runs.stop(target, now);',
    replace: '',
    spec,
    test: 'stops when it is paused',
  },
  {
    name: 'machine events: an asset that left the scope stays in the plan',
    file: 'src/modules/machine-events/planned-scope.ts',
    search: 'await this.targets.removeOthers(plan.eventId, ids);',
    replace: '',
    spec,
    test: 'stops when it is paused, and when the asset leaves the scope',
  },
  {
    name: 'machine events: their jobs are in the lane of pipelines',
    file: 'src/modules/jobs/event-jobs.service.ts',
    search: 'kind: EVENT_JOB_KIND,\n      ...description',
    replace: "kind: 'job',\n      ...description",
    spec,
    test: 'observes its scope, tests the web origins there',
  },
  {
    name: 'machine events: a human event works by itself',
    file: 'src/modules/events/events.service.ts',
    search: 'requireAutomationAllowed(draft.eventType, draft);',
    replace: '',
    spec,
    test: 'is for machine events only',
  },
  {
    name: 'machine events: what a pause missed is repeated',
    file: 'src/modules/machine-events/domain/due-times.ts',
    search: 'return new Date(first + missed * period);',
    replace: 'return new Date(first);',
    spec: 'src/modules/machine-events/domain/due-times.spec.ts',
    test: 'does not repeat what it missed',
  },
  {
    name: 'machine events: a red team sends something by itself',
    file: 'src/modules/machine-events/domain/plan-mode.ts',
    search: "return mode === 'test' && eventCategory === EVENT_CATEGORY.red_team ? 'rest' : mode;",
    replace: 'return mode;',
    spec: planSpec,
    test: 'starts nothing of a red team',
  },
  {
    name: 'machine events: their jobs count as unfinished jobs',
    file: 'src/modules/jobs/data/jobs.repository.ts',
    search: ' AND kind = ${JOB_KIND}`',
    replace: '`',
    spec: planSpec,
    test: 'are 50 at most beside those of its events',
  },
  {
    name: 'machine events: each worker orders the report',
    file: 'src/modules/machine-events/data/event-plans.repository.ts',
    search: ' AND reported IS NULL`',
    replace: '`',
    spec: planSpec,
    test: 'orders its report once in each format',
  },
  {
    name: 'machine events: stopped work is never started again',
    file: 'src/modules/machine-events/target-runs.ts',
    search: 'await this.stop(target, now);\n    return true;',
    replace: 'return false;',
    spec: planSpec,
    test: 'starts the work again that was stopped',
  },
  {
    name: 'machine events: a job goes on with all checks in the next window',
    file: 'src/modules/machine-events/target-runs.ts',
    search: 'checks: target.checksLeft }',
    replace: 'checks: null }',
    spec: planSpec,
    test: 'continues in the next window',
  },
  {
    name: 'machine events: more targets than allowed are tested at a time',
    file: 'src/modules/machine-events/plan-turn.ts',
    search: 'if (free === 0) break;',
    replace: '',
    spec: planSpec,
    test: 'has at most as many jobs and observations',
  },
];
