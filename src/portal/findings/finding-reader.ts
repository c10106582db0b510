import { AccountUse } from '../../modules/accounts';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { ProbeSummary } from '../../modules/evidence';
import {
  explainPriority,
  type ExplainedSighting,
  type ListedFinding,
  type FindingDetails,
  FindingDetailsService,
  FindingLists,
  type FindingWithCheck,
  mentionedIn,
  type PriorityExplanation,
  SightingsService,
  refusalOfCheck,
  unsafeMethodsOf,
  accountOfCheckDefinition,
} from '../../modules/findings';
import { ProposalsService, type ShownProposal } from '../../modules/imports';
import {
  type BeaconName,
  BeaconNames,
  type RetestProgress,
  type RetestSummary,
  RetestsService,
  RetestSummaryService,
  type ShownConfirmation,
  type ShownExperiment,
} from '../../modules/retests';
import type { Scope } from '../../platform/api/scope';
import { isUser } from '../../platform/api/caller';
import type { Place } from '../http/places';
import { People } from './people';

const MAX_SIMILAR = 5;
const MAX_SIGHTINGS = 5;
const MAX_PARTS_SHOWN = 20;

/** A finding with all that its page shows. */
export interface FindingView {
  readonly organizationId: number;
  readonly finding: FindingDetails;
  /** The name of the member or group who owns its asset. */
  readonly owner: string | null;
  readonly check: Pick<FindingWithCheck, 'checkDefinition' | 'allowUnsafe'> & {
    /** Its methods that may change state on the target. */
    readonly unsafeMethods: readonly string[];
    /** Why it cannot run; null if it can. */
    readonly refusal: string | null;
  };
  /** The beacon that its asset is behind. */
  readonly beacon: BeaconName | null;
  /** The account with which it was seen; null for none. */
  readonly seenAs: string | null;
  /** Newest first. */
  readonly retests: readonly RetestSummary[];
  /** The position of the last retest among those that wait for a worker; null when it does not wait. */
  readonly position: number | null;
  /** What the worker shows of the last retest while it runs. */
  readonly progress: RetestProgress | null;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
  /** What the last scan that saw it sent and received. */
  readonly scanEvidence: ProbeSummary | null;
  /** That showed it last; null where none did. */
  readonly experiment: ShownExperiment | null;
  /** That a refusal is its fix; null while nobody has confirmed it. */
  readonly confirmedRefusal: ShownConfirmation | null;
  /** The members among those whom comments mention. */
  readonly mentionable: ReadonlySet<number>;
  /** Members who can be assigned. */
  readonly assignable: ReadonlyMap<number, string>;
  /** Other findings of the same check, the newest ones. */
  readonly similar: readonly ListedFinding[];
  /** The findings that are merged into it, the newest ones. */
  readonly parts: Slice<ListedFinding>;
  /** The newest ones. */
  readonly sightings: Slice<ExplainedSighting>;
  /** The checks that imported files carry for it, if it has none. */
  readonly proposals: readonly ShownProposal[];
  readonly priority: PriorityExplanation;
  readonly mayTest: boolean;
  readonly mayDecide: boolean;
}

/** A finding with a page of its sightings. */
export interface SightingsView {
  readonly organizationId: number;
  readonly finding: { readonly id: number; readonly title: string };
  readonly sightings: Slice<ExplainedSighting>;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
}

@Injectable()
export class FindingReader {
  constructor(
    private readonly findings: FindingLists,
    private readonly details: FindingDetailsService,
    private readonly retests: RetestsService,
    private readonly retestSummaries: RetestSummaryService,
    private readonly people: People,
    private readonly beacons: BeaconNames,
    private readonly accounts: AccountUse,
    private readonly sightings: SightingsService,
    private readonly proposals: ProposalsService,
  ) {}

  async read({ caller, organizationId, finding: withCheck }: Place<'finding'>): Promise<FindingView> {
    const { scope } = caller;
    const { id, checkDefinition, allowUnsafe } = withCheck;
    const [found] = await this.details.listByIds(scope, [id]);
    const finding = orThrow(found, () => notFound('Finding'));
    const retests = (await this.retestSummaries.retestsOf(scope, [id], { withEvidence: true })).get(id) ?? [];
    const { position, progress } =
      retests.length > 0 ? await this.retests.atWork(scope, { findingId: id }) : { position: null, progress: null };
    const assignable = await this.people.assignable(scope, organizationId);
    const sightings = await this.sightings.list(scope, id, { page: 1, perPage: MAX_SIGHTINGS });
    const baseline = await this.retestSummaries.shownBaselineOf(scope, withCheck);
    const confirmedBy = baseline.confirmedRefusal?.by ?? null;
    const names = await this.people.namesOf([...peopleOf(finding, retests), ...peopleWhoSaw(sightings), confirmedBy]);
    const beacons = await this.beacons.namesOf(scope, organizationId, [finding.beaconId]);
    const accountId = accountOfCheckDefinition(checkDefinition);
    return {
      organizationId,
      finding,
      owner: await this.people.ownerOfAsset(scope, organizationId, finding.assetId),
      check: {
        checkDefinition,
        allowUnsafe,
        unsafeMethods: unsafeMethodsOf(withCheck),
        refusal: refusalOfCheck(withCheck),
      },
      beacon: beacons.get(finding.beaconId ?? 0) ?? null,
      seenAs: accountId === null ? null : await this.accounts.nameOf(scope, accountId),
      retests,
      position,
      progress,
      people: new Map([...assignable, ...names]),
      mentionable: await this.people.membersAmong(organizationId, mentionedIn(htmlOf(finding))),
      assignable,
      scanEvidence: await this.retestSummaries.evidenceOfScan(scope, id),
      ...baseline,
      similar: await this.similarTo(scope, organizationId, finding),
      parts: await this.partsOf(scope, organizationId, id),
      sightings,
      proposals: finding.checkId === null ? await this.proposals.listOfFinding(scope, id) : [],
      priority: explainPriority({
        ...finding,
        tier: finding.assetTier,
        isProved: finding.verification === 'confirmed',
      }),
      mayTest: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }

  async readSightings({ caller, organizationId, finding }: Place<'finding'>, page: Page): Promise<SightingsView> {
    const sightings = await this.sightings.list(caller.scope, finding.id, page);
    return { organizationId, finding, sightings, people: await this.people.namesOf(peopleWhoSaw(sightings)) };
  }

  private partsOf(scope: Scope, organizationId: number, mergedInto: number): Promise<Slice<ListedFinding>> {
    const page = { page: 1, perPage: MAX_PARTS_SHOWN };
    return this.findings.list(scope, organizationId, { mergedInto }, 'newest', page);
  }

  private async similarTo(
    scope: Scope,
    organizationId: number,
    { id, checkId }: FindingDetails,
  ): Promise<readonly ListedFinding[]> {
    if (checkId === null) return [];
    const page = { page: 1, perPage: MAX_SIMILAR + 1 };
    const { items } = await this.findings.list(scope, organizationId, { checkId }, 'newest', page);
    return items.filter((finding) => finding.id !== id).slice(0, MAX_SIMILAR);
  }
}

const peopleWhoSaw = ({ items }: Slice<ExplainedSighting>): number[] =>
  items.filter(({ actorType }) => isUser(actorType)).map(({ actorId }) => Number(actorId));

/** Of all comments. */
const htmlOf = ({ transitions }: FindingDetails): string => transitions.map(({ html }) => html ?? '').join('');

const idOf = (text: string | null): number | null => (text === null ? null : Number(text));

const peopleOf = (
  { assigneeId, transitions, texts }: FindingDetails,
  retests: readonly RetestSummary[],
): (number | null)[] => [
  assigneeId,
  texts?.evidenceBy ?? null,
  ...transitions.flatMap(({ actor: { type, id }, changes }) => [
    ...(isUser(type) ? [Number(id)] : []),
    ...(changes ?? []).flatMap(({ field, from, to }) => (field === 'assignee_id' ? [from, to] : [])).map(idOf),
  ]),
  ...retests.flatMap(({ judgedBy }) => judgedBy ?? []),
];
