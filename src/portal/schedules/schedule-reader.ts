import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { AccountUse, type AssetAccount } from '../../modules/accounts';
import { type Asset, AssetsService } from '../../modules/assets';
import { type Event, EventsService } from '../../modules/events';
import { type ScheduleDetails, SchedulesService } from '../../modules/schedules';
import type { Place } from '../http/places';
import { draftOfForm, type ScheduleForm, type ScheduleQuery } from './schedules.requests';

const CHOICES = { page: 1, perPage: 100 } as const;

export interface ScheduleChoices {
  readonly organizationId: number;
  /** The newest. */
  readonly events: readonly Event[];
  readonly accounts: readonly AssetAccount[];
  readonly mayChange: boolean;
}

/** The next runs of a form that is not saved, or why it cannot be saved. */
export type SchedulePreview = { readonly nextRuns: readonly Date[] } | { readonly refusal: string };

export interface ScheduleView extends ScheduleChoices {
  readonly details: ScheduleDetails;
  readonly asset: Asset | undefined;
}

@Injectable()
export class ScheduleReader {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly assets: AssetsService,
    private readonly events: EventsService,
    private readonly accounts: AccountUse,
  ) {}

  async choices({ caller, organizationId }: Place): Promise<ScheduleChoices> {
    const { items: events } = await this.events.list(caller.scope, organizationId, CHOICES);
    const accounts = await this.accounts.listUsable(organizationId);
    return { organizationId, events, accounts, mayChange: caller.hasRole('admin', organizationId) };
  }

  async read(place: Place, id: number): Promise<ScheduleView> {
    const { caller, organizationId } = place;
    const details = await this.schedules.read(caller, organizationId, id);
    const { assetId } = details.schedule;
    const asset = assetId === null ? undefined : await this.assets.find(caller.scope, assetId);
    return { ...(await this.choices(place)), details, asset };
  }

  async draft({ caller, organizationId }: Place, form: ScheduleForm) {
    const asset =
      form.asset == null ? undefined : await this.assets.findByValue(caller.scope, organizationId, form.asset);
    return draftOfForm(form, asset?.id ?? null);
  }

  async preview(place: Place, { name, what, on, ...form }: ScheduleQuery): Promise<SchedulePreview> {
    if (name === undefined || what === undefined || on === undefined) return { nextRuns: [] };
    try {
      const draft = await this.draft(place, { ...form, name, what, on });
      return { nextRuns: await this.schedules.preview(place.caller, place.organizationId, draft) };
    } catch (error) {
      if (error instanceof DomainError && (error.kind === 'invalid' || error.kind === 'not_found'))
        return { refusal: error.message };
      throw error;
    }
  }
}
