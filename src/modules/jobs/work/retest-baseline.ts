import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Baseline, detect } from '../../../engine';
import { system } from '../../../platform/auth/caller';
import { everything, Scope } from '../../../platform/auth/scope';
import type { Claim } from '../../../platform/work/claim';
import type { Completion, WorkHandler } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import {
  findingOfInitialVerification,
  FindingsService,
  type FindingWithCheck,
  initialVerificationKind,
  testOfFinding,
} from '../../findings';
import { FindingBaselinesRepository } from '../data/finding-baselines.repository';
import { EngineRuntime } from '../engine-runtime';
import { RetestPermission } from '../retest-permission';

const scope = everything('what is recorded is looked at for whoever recorded it');

interface Look {
  readonly seen: boolean;
  /** What is kept; null where the weakness was not seen, or was seen while the target was down. */
  readonly baseline: Baseline | null;
  readonly reason: string;
}

const nothing = (reason: string): Look => ({ seen: false, baseline: null, reason });

/** After a finding was recorded with a check: what its target is like while the weakness is there. Only that is kept. */
@Injectable()
export class RetestBaseline implements WorkHandler, OnModuleInit {
  readonly kind = initialVerificationKind;

  constructor(
    private readonly findings: FindingsService,
    private readonly baselines: FindingBaselinesRepository,
    private readonly permission: RetestPermission,
    private readonly engine: EngineRuntime,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const findingId = findingOfInitialVerification(claim.reference);
    const finding = await this.findings.getWithCheck(scope, findingId);
    const { checkDefinition } = finding;
    const look = await this.look(finding, claim, signal);
    return this.completion(claim, look, async () => {
      if (look.baseline === null) return;
      // Not locked: whoever records the finding again holds it while it waits for this work to end.
      const { assetId } = await this.findings.get(scope, findingId);
      if (assetId === claim.assetId) await this.baselines.save({ findingId, checkDefinition }, look.baseline);
    });
  }

  abandon(claim: Claim, error: string): Completion {
    return this.completion(claim, nothing(error), async () => undefined);
  }

  /** By the rules of the event in which it was recorded just now, which need not be the finding's first. */
  private async look(finding: FindingWithCheck, { eventId }: Claim, signal: AbortSignal): Promise<Look> {
    const test = testOfFinding(finding);
    if (test === null) return nothing('It has no check that can be run.');
    const { organizationId, assetId } = finding;
    const place = { organizationId, assetId, eventId, ...test };
    const obstacle = await this.permission.obstacle(Scope.organizations([organizationId]), place);
    if (obstacle !== null) return nothing(obstacle);
    const seen = await detect(test.check, test.target, this.engine.transport, { signal });
    if (seen === null) return nothing('There is nothing to test at its location.');
    const { observation, broken, baseline } = seen;
    const { state, detail: reason } = observation;
    if (state !== 'weak') return nothing(reason);
    return broken === null
      ? { seen: true, baseline, reason }
      : { seen: true, baseline: null, reason: `${reason} Retests are not compared with this look: ${broken}.` };
  }

  private completion(
    { kind, reference, organizationId }: Claim,
    { seen, reason }: Look,
    apply: () => Promise<void>,
  ): Completion {
    const metadata = { seen, reason };
    return {
      audit: {
        actor: system,
        operation: kind,
        resourceType: 'finding',
        resourceId: String(findingOfInitialVerification(reference)),
        organizationId,
        metadata,
      },
      apply,
    };
  }
}
