import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { type Beacon, BeaconsService } from '../../modules/beacons';
import { type Event, EventsService } from '../../modules/events';
import {
  type Import,
  ImportsService,
  isImportOver,
  ProposalsService,
  type RowResult,
  type ShownProposal,
  type ShownResult,
} from '../../modules/imports';
import { type Caller, isUser } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { People } from '../findings/people';
import { type Place, requireInOrganization } from '../http/places';
import type { RefusedForm } from '../frame/refused-form';
import type { Followed } from '../live/live-streams';
import { recently } from '../frame/recently';
import { importUrl } from '../urls';
import { ImportProgressPart } from './import-progress';

export interface ImportsView {
  readonly organizationId: number;
  readonly slice: Slice<Import>;
  /** To import into. */
  readonly events: readonly Event[];
  readonly beacons: readonly Pick<Beacon, 'id' | 'name'>[];
  /** The largest file. */
  readonly maxMegabytes: number;
  readonly mayImport: boolean;
  /** An admin. */
  readonly mayDecide: boolean;
}

export interface ImportView {
  readonly organizationId: number;
  readonly one: Import;
  readonly event: Event | null;
  readonly rows: Slice<ShownResult>;
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
  /** After a refusal to undo it: the findings that people have changed. */
  readonly touched: readonly number[];
  /** The checks that the file carries and no one has decided about; those that cannot be approved; the approved ones. */
  readonly proposed: Slice<ShownProposal>;
  readonly impossible: Slice<ShownProposal>;
  readonly approved: Slice<ShownProposal>;
  readonly mayImport: boolean;
  /** An admin. */
  readonly mayDecide: boolean;
}

const MAX_MISSING = 500;
const PROPOSALS = { page: 1, perPage: 50, isCounted: true } as const;
const MAX_EVENTS = 100;
const MAX_BEACONS = 100;
const CONFLICT = 409;

@Injectable()
export class ImportReader {
  constructor(
    private readonly imports: ImportsService,
    private readonly proposals: ProposalsService,
    private readonly events: EventsService,
    private readonly beacons: BeaconsService,
    private readonly people: People,
    private readonly config: Config,
  ) {}

  /** Throws if the event belongs to another organization. */
  async requireEvent(
    { scope }: Pick<Caller, 'scope'>,
    organizationId: number,
    slug: string | undefined,
  ): Promise<void> {
    if (slug !== undefined) requireInOrganization(await this.events.get(scope, slug), organizationId);
  }

  async list(caller: Caller, organizationId: number, page: Page, isFailed: boolean): Promise<ImportsView> {
    const { scope } = caller;
    const slice = await (isFailed
      ? this.imports.listFailed(scope, organizationId, recently(), page)
      : this.imports.list(scope, { organizationId }, page));
    const events = await this.events.list(scope, organizationId, { page: 1, perPage: MAX_EVENTS });
    const beacons = await this.beacons.list(scope, organizationId, { page: 1, perPage: MAX_BEACONS });
    return {
      organizationId,
      slice,
      events: events.items,
      beacons: beacons.items,
      maxMegabytes: this.config.IMPORT_MAX_MEGABYTES,
      mayImport: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }

  /** The findings that the file no longer has, as many as can be changed at a time. */
  async listMissing({ scope }: Caller, id: number): Promise<number[]> {
    const { items } = await this.imports.listRows(scope, id, 'missing', { page: 1, perPage: MAX_MISSING });
    return items.flatMap(({ findingId }) => findingId ?? []);
  }

  /** `page` is of its rows. */
  async read(
    { caller, organizationId, imported: one }: Place<'imported'>,
    { result, page, refused }: { result?: RowResult; page: Page; refused?: RefusedForm },
  ): Promise<ImportView> {
    const { scope } = caller;
    const { id } = one;
    const isUndoRefused =
      refused?.status === CONFLICT && refused.action === `${importUrl(organizationId, id)}/undo` && !one.dryRun;
    return {
      organizationId,
      one,
      event: one.eventId === null ? null : await this.events.getById(scope, one.eventId),
      rows: await this.imports.listRows(scope, id, result, page),
      people: await this.people.namesOf([isUser(one.actorType) ? Number(one.actorId) : null]),
      touched: isUndoRefused ? await this.imports.listTouched(scope, id) : [],
      proposed: await this.proposals.list(scope, id, { status: 'proposed', isRefused: false }, PROPOSALS),
      impossible: await this.proposals.list(scope, id, { status: 'proposed', isRefused: true }, PROPOSALS),
      approved: await this.proposals.list(scope, id, { status: 'approved' }, PROPOSALS),
      mayImport: caller.hasRole('member', organizationId),
      mayDecide: caller.hasRole('admin', organizationId),
    };
  }

  follow(organizationId: number, id: number): Followed<Import> {
    return {
      key: `import ${id}`,
      organizationId,
      read: async () => {
        const state = await this.imports.get(Scope.organizations([organizationId]), id);
        const isOver = isImportOver(state.status) || state.waitsUntil !== null;
        return { state, isOver, isMoving: state.status !== 'PENDING' };
      },
      render: (state) => <ImportProgressPart one={state} />,
    };
  }
}
