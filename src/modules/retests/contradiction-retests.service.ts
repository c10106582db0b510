import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import { system, SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import { Work } from '../../platform/work/work';
import { EventsService } from '../events';
import { FindingsService, testOfFinding } from '../findings';
import { OrganizationsService } from '../organizations';
import { RetestsRepository } from './data/retests.repository';
import { RetestsService } from './retests.service';

const scope = everything('a job or an import starts retests for its organization');

const MAX_STARTED = 20;
/** The most findings for which the launch rule is evaluated. */
const MAX_TRIED = 100;
/** How long the retest of a finding waits before it checks again whether another one has ended. */
const PAUSE_MS = 30_000;

/** What became of a resolved finding that a job or an import has seen, and that no test has examined since. */
export const CONTRADICTIONS = ['contradicts', 'retest_started'] as const;
export type Contradiction = (typeof CONTRADICTIONS)[number];

export interface ContradictingFinding {
  readonly findingId: number;
  /** A test that decided after this time has answered the contradiction. */
  readonly seenAt: Date;
}

/** A job or an import that contradicts what is known of findings. */
export interface ContradictionSource {
  readonly organizationId: number;
  readonly eventId: number | null;
  /** As the audit log names it, such as import 12. */
  readonly name: string;
  /** The kind of work that starts them, and the id of the job or import, which its reference begins with. */
  readonly work: { readonly kind: string; readonly record: string };
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
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** For these findings, or for all. It is never a part of another request, which may have listed its findings before. */
  async request({ organizationId, work }: ContradictionSource, findingIds: number[] = [], runAt?: Date): Promise<void> {
    const reference = [work.record, randomUUID(), ...findingIds].join(' ');
    await this.work.enqueue({ kind: work.kind, reference, organizationId, runAt });
  }

  /** May be called again after a crash: each start is noted in the transaction that makes it. */
  async start(source: ContradictionSource, signal: AbortSignal, reference = ''): Promise<void> {
    const [, , ...only] = reference.split(' ');
    const event = source.eventId === null ? undefined : await this.events.findById(scope, source.eventId);
    const postponed: number[] = [];
    for (const one of await source.list(MAX_TRIED)) {
      signal.throwIfAborted();
      if (only.length > 0 && !only.includes(String(one.findingId))) continue;
      const state = await this.startOne(source, one, event?.slug);
      if (state === 'full') break;
      if (state === 'postponed') postponed.push(one.findingId);
    }
    if (postponed.length === 0) return;
    await this.request(source, postponed, new Date(this.clock.now().getTime() + PAUSE_MS));
  }

  /** `full` when no more retests may be started, `postponed` while another retest of the finding is unfinished. */
  private async startOne(
    source: ContradictionSource,
    one: ContradictingFinding,
    eventSlug?: string,
  ): Promise<'decided' | 'full' | 'postponed'> {
    const { organizationId, name } = source;
    let state: 'decided' | 'full' | 'postponed' = 'decided';
    const entry = { actor: system, operation: 'retest.start', resourceType: 'retest', organizationId } as const;
    const description = { ...entry, metadata: { contradicted_by: name } };
    try {
      await this.unitOfWork.runIfDue(description, scope, async () => {
        await this.organizations.lockForCounting(scope, organizationId);
        const { findingId } = one;
        if ((await source.countStarted()) >= MAX_STARTED) state = 'full';
        else if (!(await this.isOpenQuestion(one))) return undefined;
        else if (await this.repository.hasUnfinishedOfLocked(findingId)) state = 'postponed';
        if (state !== 'decided') return undefined;
        if (!(await source.saveStarted(findingId))) return undefined;
        return this.retests.start(new SystemCaller(organizationId), { findingId, eventSlug });
      });
    } catch (thrown) {
      const error = asDomainError(thrown);
      // The audit log has the reason.
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;
    }
    return state;
  }

  /** Whether a test can answer the contradiction, and none has. A finding without a check needs the verdict of a person. */
  private async isOpenQuestion({ findingId, seenAt }: ContradictingFinding): Promise<boolean> {
    if (!(await this.repository.isResolvedWithoutTestSince(findingId, seenAt))) return false;
    return testOfFinding(await this.findings.getWithCheck(scope, findingId)) !== null;
  }
}
