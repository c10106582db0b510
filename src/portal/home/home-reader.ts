import { dayOf } from '../../kernel/day';
import { Injectable } from '@nestjs/common';
import type { Slice } from '../../kernel/page';
import { AssetsService, type Domain, DomainsService } from '../../modules/assets';
import { type Beacon, BEACON_STATUS, BeaconsService } from '../../modules/beacons';
import {
  FINDING_STATUS,
  type Finding,
  type FindingAttention,
  FindingAttentionService,
  FindingLists,
} from '../../modules/findings';
import { type KeyOfMember, MemberKeysService } from '../../modules/identity';
import { ObservationSettings } from '../../modules/observations';
import { RetestSummaryService, type UndecidedFinding } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';

/** The lists of the page are short: each links to its whole list. */
export const SHOWN = 5;

const FIRST = { page: 1, perPage: SHOWN, isCounted: true } as const;
/** An organization has fewer. */
const ALL_BEACONS = { page: 1, perPage: 100 } as const;

export interface HomeView extends FindingAttention {
  readonly organizationId: number;
  readonly overdue: Slice<Finding>;
  readonly waiting: Slice<Finding>;
  readonly undecided: readonly UndecidedFinding[];
  readonly beacons: readonly Beacon[];
  readonly domains: Slice<Domain>;
  /** Keys that had no limit before an upgrade, for owners. */
  readonly memberKeys: readonly KeyOfMember[];
  /** Whether an admin can turn on observation, which is off. */
  readonly offersObservation: boolean;
  readonly hasFindings: boolean;
  readonly hasAssets: boolean;
}

/** Reads what needs a person now. Each read is of a few rows of an index, however many findings there are. */
@Injectable()
export class HomeReader {
  constructor(
    private readonly attention: FindingAttentionService,
    private readonly findings: FindingLists,
    private readonly retests: RetestSummaryService,
    private readonly beacons: BeaconsService,
    private readonly domains: DomainsService,
    private readonly assets: AssetsService,
    private readonly memberKeys: MemberKeysService,
    private readonly observation: ObservationSettings,
  ) {}

  async read(caller: Caller, organizationId: number): Promise<HomeView> {
    const { scope } = caller;
    const one = { page: 1, perPage: 1 } as const;
    const waitingOnly = { status: FINDING_STATUS.ready_for_retest };
    const [attention, overdue, waiting, undecided, beacons, domains, findings, assets, memberKeys] = await Promise.all([
      this.attention.read(scope, organizationId, SHOWN),
      this.findings.list(scope, organizationId, { dueBefore: dayOf(new Date()) }, 'due_date', FIRST),
      this.findings.list(scope, organizationId, waitingOnly, 'newest', FIRST),
      this.retests.undecidedFindings(scope, organizationId),
      this.beacons.list(scope, organizationId, ALL_BEACONS),
      this.domains.listUnproven(scope, organizationId, FIRST),
      this.findings.list(scope, organizationId, {}, 'newest', one),
      this.assets.listFor(scope, organizationId, one),
      this.memberKeys.listNotShown(caller, organizationId),
    ]);
    const mayTurnOn = caller.hasRole('admin', organizationId) && assets.items.length > 0;
    const isObserved = (await this.observation.ofOrganization(scope, organizationId)).isEnabled;
    return {
      organizationId,
      ...attention,
      overdue,
      waiting,
      undecided,
      beacons: beacons.items.filter(
        ({ status }) => status === BEACON_STATUS.offline || status === BEACON_STATUS.degraded,
      ),
      domains,
      memberKeys,
      offersObservation: mayTurnOn && !isObserved,
      hasFindings: findings.items.length > 0,
      hasAssets: assets.items.length > 0,
    };
  }
}
