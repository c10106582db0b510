import { activityOf } from '../../../engine/check';
import type { Check, PreviousFinding, SkippedCheck } from '../../../engine';
import type { HostingState } from '../../assets/domain/hosting';
import { checkRefusal } from '../../retests/domain/hosting-limit';

/** What of a job depends on who runs its host. */
interface TestPlan {
  readonly checks: readonly Check[];
  readonly skipped: readonly SkippedCheck[];
  readonly previousFindings: readonly PreviousFinding[];
}

/** Leaves out the checks that are not passive on a host that someone else runs, and names them. */
export function passivePlan(hosting: HostingState | null, plan: TestPlan): TestPlan {
  if (hosting?.isLimited !== true) return plan;
  const left = plan.checks.flatMap((check) => {
    const reason = checkRefusal(hosting, check);
    return reason === null ? [] : [{ check: check.id, outcome: 'not_applicable', reason } as const];
  });
  return {
    checks: plan.checks.filter((check) => activityOf(check) === null),
    skipped: [...plan.skipped, ...left],
    previousFindings: plan.previousFindings.filter(({ own }) => own === undefined || activityOf(own) === null),
  };
}

/** As the job states it: only where the hosting limits it. */
export const hostingOfJob = (hosting: HostingState | null) => ({
  hostedBy: hosting?.isLimited === true ? hosting.by : null,
  hostedTarget: hosting?.isLimited === true ? hosting.target : null,
});
