import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { system, SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import { EventsService } from '../events';
import { FindingsService, testOfFinding } from '../findings';
import { OrganizationsService } from '../organizations';
import { RetestsRepository } from './data/retests.repository';
import { RetestsService } from './retests.service';

const scope = everything('a job or an import starts retests for its organization');

const MAX_STARTED = 20;
/** Of so many findings the launch rule is evaluated. */
const MAX_TRIED = 100;

/** What became of a resolved finding that a job or an import has seen, and that no test has examined since. */
export const CONTRADICTIONS = ['contradicts', 'retest_started'] as const;
export type Contradiction = (typeof CONTRADICTIONS)[number];

export interface ContradictingFinding {
  readonly findingId: number;
  /** A test that decided after this has answered. */
  readonly seenAt: Date;
}

/** A job or an import that contradicts what is known of findings. */
export interface ContradictionSource {
  readonly organizationId: number;
  readonly eventId: number | null;
  /** As the audit log names it, such as import 12. */
  readonly name: string;
  /** Those without a retest, the most severe first. */
  list(limit: number): Promise<readonly ContradictingFinding[]>;
  countStarted(): Promise<number>;
  /** In the transaction that starts the retest. Returns false if it was noted before. */
  saveStarted(findingId: number): Promise<boolean>;
}

/** Retests findings that a job or an import contradicts, without a user. Those that may not be tested stay listed. */
@Injectable()
export class ContradictionRetests {
  constructor(
    private readonly retests: RetestsService,
    private readonly repository: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly organizations: OrganizationsService,
    private readonly events: EventsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** May be called again after a crash: what was started is noted in the same transaction. */
  async start(source: ContradictionSource, signal: AbortSignal): Promise<void> {
    const event = source.eventId === null ? undefined : await this.events.findById(scope, source.eventId);
    for (const one of await source.list(MAX_TRIED)) {
      signal.throwIfAborted();
      if (!(await this.startOne(source, one, event?.slug))) return;
    }
  }

  /** Returns false once no further one may be started. */
  private async startOne(source: ContradictionSource, one: ContradictingFinding, eventSlug?: string): Promise<boolean> {
    const { organizationId, name } = source;
    let mayStart = true;
    const entry = { actor: system, operation: 'retest.start', resourceType: 'retest', organizationId } as const;
    const description = { ...entry, metadata: { contradicted_by: name } };
    try {
      await this.unitOfWork.runIfDue(description, scope, async () => {
        await this.organizations.lockForCounting(scope, organizationId);
        const { findingId } = one;
        mayStart = (await source.countStarted()) < MAX_STARTED;
        if (!mayStart || !(await this.isOpenQuestion(one))) return undefined;
        if (!(await source.saveStarted(findingId))) return undefined;
        return this.retests.start(new SystemCaller(organizationId), { findingId, eventSlug });
      });
    } catch (thrown) {
      const error = asDomainError(thrown);
      // The audit log has the reason.
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;
    }
    return mayStart;
  }

  /** Whether a test can answer it, and none has. A person would have to give the verdict of a finding without a check. */
  private async isOpenQuestion({ findingId, seenAt }: ContradictingFinding): Promise<boolean> {
    if (!(await this.repository.isResolvedWithoutTestSince(findingId, seenAt))) return false;
    return testOfFinding(await this.findings.getWithCheck(scope, findingId)) !== null;
  }
}
