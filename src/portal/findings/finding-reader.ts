import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import {
  explainPriority,
  type Finding,
  type FindingDetails,
  FindingDetailsService,
  FindingsService,
  type PriorityExplanation,
} from '../../modules/findings';
import {
  type BeaconName,
  BeaconNames,
  type RetestProgress,
  type RetestSummary,
  RetestsService,
  RetestSummaryService,
} from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { requireInOrganization } from '../http/in-organization';
import { People } from './people';

const MAX_SIMILAR = 5;

/** A finding with all that its page shows. */
export interface FindingView {
  readonly organizationId: number;
  readonly finding: FindingDetails;
  /** The beacon that its asset is behind. */
  readonly beacon: BeaconName | null;
  /** Newest first. */
  readonly retests: readonly RetestSummary[];
  /** The position of the last retest among those that wait for a worker; null when it does not wait. */
  readonly position: number | null;
  /** What the worker shows of the last retest while it runs. */
  readonly progress: RetestProgress | null;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
  /** Members who can be assigned. */
  readonly assignable: ReadonlyMap<number, string>;
  /** Other findings of the same check, the newest ones. */
  readonly similar: readonly Finding[];
  readonly priority: PriorityExplanation;
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
    private readonly people: People,
    private readonly beacons: BeaconNames,
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
    const assignable = await this.people.assignable(scope, organizationId);
    const people = await this.people.namesOf(peopleOf(finding, retests));
    const beacons = await this.beacons.namesOf(scope, organizationId, [finding.beaconId]);
    return {
      organizationId,
      finding,
      beacon: beacons.get(finding.beaconId ?? 0) ?? null,
      retests,
      position,
      progress,
      people,
      assignable,
      similar: await this.similarTo(scope, organizationId, finding),
      priority: explainPriority({ ...finding, tier: finding.assetTier }),
      mayTest: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }

  private async similarTo(
    scope: Scope,
    organizationId: number,
    { id, checkId }: FindingDetails,
  ): Promise<readonly Finding[]> {
    if (checkId === null) return [];
    const page = { page: 1, perPage: MAX_SIMILAR + 1 };
    const { items } = await this.findings.list(scope, organizationId, { checkId }, 'newest', page);
    return items.filter((finding) => finding.id !== id).slice(0, MAX_SIMILAR);
  }
}

const peopleOf = (
  { assigneeId, transitions }: FindingDetails,
  retests: readonly RetestSummary[],
): (number | null)[] => [
  assigneeId,
  ...transitions.flatMap(({ actor: { type, id } }) => (type === 'user' || type === 'integrator' ? [Number(id)] : [])),
  ...retests.flatMap(({ judgedBy }) => judgedBy ?? []),
];
