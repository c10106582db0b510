import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import { type FindingDetails, FindingDetailsService, FindingsService } from '../../modules/findings';
import { IdentityService } from '../../modules/identity';
import { type RetestProgress, type RetestSummary, RetestsService, RetestSummaryService } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import { requireInOrganization } from '../http/in-organization';

/** A finding with all that its page shows. */
export interface FindingView {
  readonly organizationId: number;
  readonly finding: FindingDetails;
  /** Newest first. */
  readonly retests: readonly RetestSummary[];
  /** The position of the last retest among those that wait for a worker; null when it does not wait. */
  readonly position: number | null;
  /** What the worker shows of the last retest while it runs. */
  readonly progress: RetestProgress | null;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
  readonly mayTest: boolean;
  readonly mayDecide: boolean;
}

@Injectable()
export class FindingReader {
  constructor(
    private readonly findings: FindingsService,
    private readonly details: FindingDetailsService,
    private readonly retests: RetestsService,
    private readonly retestSummaries: RetestSummaryService,
    private readonly identity: IdentityService,
  ) {}

  /** Throws if the finding belongs to another organization. */
  async requireFinding({ scope }: Pick<Caller, 'scope'>, organizationId: number, id: number): Promise<void> {
    requireInOrganization(await this.findings.get(scope, id), organizationId);
  }

  async read(caller: Caller, organizationId: number, id: number): Promise<FindingView> {
    const { scope } = caller;
    await this.requireFinding(caller, organizationId, id);
    const [found] = await this.details.listByIds(scope, [id]);
    const finding = orThrow(found, () => notFound('Finding'));
    const retests = (await this.retestSummaries.retestsOf(scope, [id], { withEvidence: true })).get(id) ?? [];
    const { position, progress } =
      retests.length > 0 ? await this.retests.atWork(scope, { findingId: id }) : { position: null, progress: null };
    const people = await this.identity.displayNamesOfVisible(peopleOf(finding, retests));
    return {
      organizationId,
      finding,
      retests,
      position,
      progress,
      people,
      mayTest: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }
}

const peopleOf = ({ transitions }: FindingDetails, retests: readonly RetestSummary[]): number[] => [
  ...transitions.flatMap(({ actor: { type, id } }) => (type === 'user' || type === 'integrator' ? [Number(id)] : [])),
  ...retests.flatMap(({ judgedBy }) => judgedBy ?? []),
];
