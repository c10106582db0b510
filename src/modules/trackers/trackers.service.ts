import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { EventsService } from '../events';
import { DestinationsService, type DestinationState, type FeedRule, FeedService } from '../feed';
import { OrganizationsService } from '../organizations';
import type { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import { fieldsMissing, notTested, testWaits, tokenMissing } from './domain/tracker.errors';
import { TRACKER_WORK } from './domain/tracker-vocabulary';
import { TrackerPlaces } from './tracker-places';

export interface TrackerDraft
  extends
    FeedRule,
    Pick<
      Tracker,
      | 'name'
      | 'kind'
      | 'address'
      | 'project'
      | 'issueType'
      | 'automatic'
      | 'priorities'
      | 'ticketLabels'
      | 'component'
      | 'assignee'
      | 'details'
      | 'wontDo'
      | 'regression'
      | 'dailyLimit'
    > {
  /** Of Jira: the mail address of the account. */
  readonly user?: string;
  readonly token?: string;
  /** With which the tracker signs what it says to us. */
  readonly hookSecret?: string;
}

/** Omitted fields do not change. */
export type TrackerChange = Partial<Omit<TrackerDraft, 'kind'>> & { readonly state?: DestinationState };

/** Projects in which findings have tickets. Admins set them. */
@Injectable()
export class TrackersService extends DestinationsService<Tracker> {
  constructor(
    protected readonly destinations: TrackersRepository,
    private readonly places: TrackerPlaces,
    protected readonly feed: FeedService,
    private readonly events: EventsService,
    protected readonly organizations: OrganizationsService,
    protected readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    super();
  }

  @OwnerOf('tracker')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.destinations.findOrganization(scope, Number(id));
  }

  /** For members, who open tickets there: of an organization that the caller has read in scope. */
  async listUsableOfVisible(organizationId: number, scope: Scope): Promise<Tracker[]> {
    const { items } = await this.destinations.listFor(scope, organizationId, { page: 1, perPage: 20 });
    return items.filter(({ state }) => state === 'active');
  }

  /** For members. */
  find(scope: Scope, organizationId: number, id: number): Promise<Tracker | undefined> {
    return this.destinations.findOne(scope, organizationId, id);
  }

  /** It is paused until a test has shown that strangers cannot read its tickets. */
  async create(caller: Caller, organizationId: number, draft: TrackerDraft): Promise<Tracker> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    const { name, kind, project } = draft;
    this.unitOfWork.note({ organizationId: owner, metadata: { name, kind, project } });
    caller.requireRole('admin', owner);
    await this.events.requireOfVisible(owner, draft.eventIds);
    const { user: _user, token: _token, hookSecret: _hookSecret, ...columns } = draft;
    const tracker = await this.add(caller, owner, {
      ...columns,
      ...this.places.created(owner, draft),
      state: 'paused',
      pauseReason: 'untested',
      hook: randomBytes(24).toString('base64url'),
      followed: String(await this.feed.newestOfVisible(owner)),
    });
    await this.startTest(tracker);
    return this.get(caller, owner, tracker.id);
  }

  /** What was typed for another address is not sent to a new one. */
  async change(caller: Caller, organizationId: number, id: number, change: TrackerChange): Promise<Tracker> {
    const tracker = await this.lockForAdmin(caller, organizationId, id);
    const { state, user: _user, token: _token, hookSecret: _hookSecret, ...columns } = change;
    this.unitOfWork.note({
      metadata: { changes: Object.keys(change), ...(state && { from: tracker.state, to: state }) },
    });
    await this.events.requireOfVisible(organizationId, change.eventIds ?? []);
    const place = await this.places.changed(tracker, change);
    const isOther = place.tested === null;
    if (state === 'active') requireTested({ tested: isOther ? null : tracker.tested, fields: tracker.fields });
    const stops = isOther && tracker.state === 'active';
    if (stops) tracker.pauseReason = 'untested';
    const saved = await this.save(caller, tracker, {
      ...columns,
      ...place,
      ...(stops ? { state: 'paused' as const } : { ...(state && { state }) }),
      ...(state === 'active' && { failingSince: null, misses: 0, resumeAt: null, nextPoll: null }),
    });
    if (!isOther) return saved;
    await this.startTest(saved);
    return this.get(caller, organizationId, id);
  }

  /** Reads the account, who can read the project, and which fields it demands. */
  async sendTest(caller: Caller, organizationId: number, id: number): Promise<void> {
    const tracker = await this.lockForAdmin(caller, organizationId, id);
    if (tracker.sealed === null) throw tokenMissing();
    if (tracker.testRequested !== null) throw testWaits();
    await this.startTest(tracker);
  }

  private async startTest({ id, organizationId, sealed }: Tracker): Promise<void> {
    if (sealed === null) return;
    await this.destinations.change({ id, organizationId }, { testRequested: this.clock.now() });
    await this.work.enqueue({ kind: TRACKER_WORK, reference: String(id), organizationId });
  }
}

function requireTested({ tested, fields }: Pick<Tracker, 'tested' | 'fields'>): void {
  if (tested === null) throw notTested();
  const missing = fields.filter(({ isFilled }) => !isFilled).map(({ name }) => name);
  if (missing.length > 0) throw fieldsMissing(missing);
}
