import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Caller, system } from '../../platform/api/caller';
import { type Scope, everything } from '../../platform/api/scope';
import { Scheduled } from '../../platform/work/work-handler';
import { Work } from '../../platform/work/work';
import { TenantTurns } from '../../platform/work/tenant-turns';
import { AccountUse } from '../accounts';
import { OrganizationsService } from '../organizations';
import { SettingsService, durationMs } from '../settings';
import type { Event } from './data/event.entity';
import { type EventPlaceField, EventsRepository, type NewEvent, type NotifiedEvent } from './data/events.repository';
import { type Automation, automationOfNew, requireAutomationAllowed } from './domain/automation';
import { EVENT_WORK_KINDS } from './domain/event-work';
import { differencesOf, type EventChange } from './domain/event-change';
import { defaultEnd, requireChangeableDates, requireValidDates } from './domain/event-dates';
import { requireWholePlace } from './domain/event-place';
import { eventNotFound, eventOfAnother } from './domain/event.errors';
import { hasSecondLooks } from './domain/second-looks';
import { newEventSlug } from './domain/event-slug';
import { type EventStatus, requestedChange, dueTransition } from './domain/event-status';

export type EventDraft = Pick<Event, 'name' | 'eventType' | 'eventCategory' | EventPlaceField> &
  Partial<Automation> & {
    readonly status: 'draft' | 'scheduled';
    /** Null means the current time. */
    readonly startDate: Date | null;
    /** Null is for machine events only, and means the default duration of the organization. */
    readonly endDate: Date | null;
  };

const systemScope = everything('events of all organizations start and end');
const BATCH_SIZE = 500;

@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly organizations: OrganizationsService,
    private readonly settings: SettingsService,
    private readonly accounts: AccountUse,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('event')
  async ownerOf(scope: Scope, slug: string): Promise<number | undefined> {
    return (await this.events.findOne(scope, slug))?.organizationId;
  }

  find(scope: Scope, slug: string): Promise<Event | undefined> {
    return this.events.findOne(scope, slug);
  }

  /** For records that store the id. People refer to an event by its slug. */
  findById(scope: Scope, id: number): Promise<Event | undefined> {
    return this.events.findById(scope, id);
  }

  async get(scope: Scope, slug: string): Promise<Event> {
    return orThrow(await this.find(scope, slug), eventNotFound);
  }

  async getById(scope: Scope, id: number): Promise<Event> {
    return orThrow(await this.findById(scope, id), eventNotFound);
  }

  /** Throws unless all are events of an organization that the caller has checked. */
  async requireOfVisible(organizationId: number, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const own = new Set((await this.listNotifiedOfVisible(organizationId, ids)).map(({ id }) => id));
    const other = ids.find((id) => !own.has(id));
    if (other !== undefined) throw eventOfAnother(other);
  }

  /** Of an organization that the caller has checked. */
  listNotifiedOfVisible(organizationId: number, ids: readonly number[]): Promise<NotifiedEvent[]> {
    return this.events.listNotifiedOfVisible(organizationId, ids);
  }

  async list(scope: Scope, organizationId: number, page: Page): Promise<Slice<Event>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.events.listForVisible(id, page);
  }

  listAll(scope: Scope, page: Page): Promise<Slice<Event>> {
    return this.events.listFor(scope, page);
  }

  async create(caller: Caller, organizationId: number, draft: EventDraft): Promise<Event> {
    const startDate = draft.startDate ?? this.clock.now();
    requireValidDates(draft.eventType, startDate, draft.endDate);
    requireWholePlace(draft);
    requireAutomationAllowed(draft.eventType, draft);
    await this.organizations.lockForShare(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId, metadata: { name: draft.name } });
    caller.requireRole('admin', organizationId);
    const endDate = draft.endDate ?? defaultEnd(startDate, await this.durationFor(organizationId));
    await this.accounts.requirePlannable(caller, organizationId, draft.accounts ?? []);
    const event = await this.save({
      ...draft,
      ...automationOfNew(draft.eventType, draft),
      organizationId,
      startDate,
      endDate,
      ...this.namedBy(caller, organizationId, draft),
      startedBy: caller.waitingUserId,
    });
    const { slug, status, automatic, eventType: event_type, eventCategory: event_category } = event;
    this.unitOfWork.note({
      resourceId: slug,
      metadata: { status, event_type, event_category, start_date: startDate, end_date: endDate, automatic },
    });
    return event;
  }

  async change(caller: Caller, slug: string, change: EventChange): Promise<Event> {
    const event = orThrow(await this.events.lockOne(caller.scope, slug), eventNotFound);
    const { id, organizationId } = event;
    this.unitOfWork.note({ organizationId, metadata: { changes: differencesOf(event, change) } });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    requireChangeableDates(event, change, this.clock.now());
    const { latitude = event.latitude, longitude = event.longitude } = change;
    requireWholePlace({ latitude, longitude });
    requireAutomationAllowed(event.eventType, change);
    const isOther = change.accounts !== undefined && !isDeepStrictEqual(change.accounts ?? [], event.accounts ?? []);
    if (isOther) await this.accounts.requirePlannable(caller, organizationId, change.accounts ?? []);
    const named = isOther ? this.namedBy(caller, organizationId, change) : {};
    if (Object.keys(change).length > 0) await this.events.change(id, { ...change, ...named });
    if (change.automatic === false) this.stopAfterCommit(id);
    return this.get(caller.scope, slug);
  }

  async changeStatus(caller: Caller, slug: string, status: EventStatus): Promise<Event> {
    const event = orThrow(await this.events.lockOne(caller.scope, slug), eventNotFound);
    this.unitOfWork.note({ organizationId: event.organizationId, metadata: { from: event.status, to: status } });
    caller.requireRole('admin', event.organizationId);
    await this.unitOfWork.checkCondition();
    const change = requestedChange(event.status, status, event.startDate, this.clock.now());
    if (change === 'updated') await this.events.change(event.id, { status });
    this.stopAfterCommit(event.id);
    return this.get(caller.scope, slug);
  }

  /** Those that a plan is made for: machine events that have begun, and those that ended lately. */
  listToPlan(scope: Scope, endedSince: Date): Promise<Pick<Event, 'id' | 'organizationId'>[]> {
    return this.events.listToPlan(scope, endedSince);
  }

  /** Excludes changes until the transaction ends. */
  lockForShare(scope: Scope, id: number): Promise<Event | undefined> {
    return this.events.lockForShare(scope, id);
  }

  /** Whether `fixed` of retests in this event is looked at again. Human events say so themselves. */
  async wantsSecondLooks(scope: Scope, id: number): Promise<boolean> {
    return hasSecondLooks(await this.getById(scope, id));
  }

  async changeSecondLooks(caller: Caller, slug: string, secondLook: boolean): Promise<Event> {
    const event = orThrow(await this.events.lockOne(caller.scope, slug), eventNotFound);
    const { id, organizationId } = event;
    this.unitOfWork.note({ organizationId, metadata: { from: hasSecondLooks(event), to: secondLook } });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    await this.events.change(id, { secondLook });
    return this.get(caller.scope, slug);
  }

  /** Starts and ends the events that are due, however long ago. Safe to run twice. */
  @Scheduled({ name: 'event.transitions', everySeconds: 5 })
  async applyDueTransitions(): Promise<void> {
    await this.turns.each(
      'event.transitions',
      systemScope,
      (part) => this.events.findDue(part, this.clock.now(), BATCH_SIZE),
      ({ slug }) => this.applyDueTransition(slug),
    );
  }

  /** Applies one transition at a time, each with its audit entry: an overdue event may start and end. */
  private async applyDueTransition(slug: string): Promise<void> {
    const description = {
      actor: system,
      operation: 'event.status_change',
      resourceType: 'event',
      resourceId: slug,
    } as const;
    const applied = await this.unitOfWork.runIfDue(description, systemScope, async () => {
      const event = await this.events.lockOne(systemScope, slug);
      const to = event && dueTransition(event.status, event.startDate, event.endDate, this.clock.now());
      if (event === undefined || to === undefined || to === null) return undefined;
      this.unitOfWork.note({ organizationId: event.organizationId, metadata: { from: event.status, to } });
      await this.events.change(event.id, { status: to });
      return to;
    });
    if (applied !== undefined) await this.applyDueTransition(slug);
  }

  /** Its jobs use the accounts as long as this role may. */
  private namedBy(
    caller: Caller,
    organizationId: number,
    { accounts }: Partial<Pick<Event, 'accounts'>>,
  ): Pick<Event, 'accountsRole'> {
    return { accountsRole: (accounts ?? []).length === 0 ? null : (caller.roleIn(organizationId) ?? null) };
  }

  /** What the event sends by itself ends with its status. Its plan continues it when the event runs again. */
  private stopAfterCommit(id: number): void {
    this.unitOfWork.afterCommit(() => this.work.cancelOfEvent(id, EVENT_WORK_KINDS));
  }

  private async durationFor(organizationId: number): Promise<number> {
    return durationMs(await this.settings.eventDurationFor(organizationId));
  }

  /** Retries with another random suffix if the slug is taken. */
  private async save(event: Omit<NewEvent, 'slug'>): Promise<Event> {
    return (await this.events.save({ ...event, slug: newEventSlug(event.name) })) ?? this.save(event);
  }
}
