import { Flag, Id, Instant, Integer, OneOf, SingleLineText, TextWithRule } from '../../../platform/http/fields';
import { TimelineQuery } from '../../../platform/http/page-query';
import { parsePorts } from '../../../engine';
import type { ChangeFilter } from '../data/asset-changes.repository';
import { CHANGE_KINDS, type ChangeKind } from '../domain/asset-change';
import type { AssetObservationChange } from '../observation-settings.service';

/** 1,000 ports of five digits, with commas. */
const MAX_PORTS_LENGTH = 6_000;
const MAX_TARGET_LENGTH = 255;

export class ChangeObservationSettingsRequest {
  @Flag({ description: 'Whether the assets of the organization are observed.' })
  enabled!: boolean;

  @Integer(1, 720, {
    nullable: true,
    description: 'How many hours pass between two observations; null for the default.',
  })
  every_hours?: number | null;
}

export class ChangeAssetObservationRequest {
  @Flag({ optional: true, description: 'Whether the asset is observed.' })
  observe?: boolean;

  @TextWithRule(
    (text) => parsePorts(text),
    { minLength: 1, maxLength: MAX_PORTS_LENGTH },
    {
      nullable: true,
      example: '22,80,443,8000-8100',
      description:
        'Further ports to try beside the usual ones: up to 1,000 ports and ranges, or `all` behind a beacon. Null for the usual ones alone.',
    },
  )
  observe_ports?: string | null;

  @SingleLineText(MAX_TARGET_LENGTH, {
    nullable: true,
    description:
      'The current `hosted_target`, to confirm that the host is your own. Ends when the target changes; null ends it now.',
  })
  own_target?: string | null;

  @SingleLineText(MAX_TARGET_LENGTH, {
    nullable: true,
    description:
      'The current `hosted_target`, to confirm that the operator of the host permits wider tests. Ends when the target changes; null ends it now.',
  })
  permitted_target?: string | null;
}

export const changeOfObservation = (body: ChangeAssetObservationRequest): AssetObservationChange => ({
  ...(body.observe !== undefined && { observe: body.observe }),
  ...(body.observe_ports !== undefined && { observePorts: body.observe_ports }),
  ...(body.own_target !== undefined && { ownTarget: body.own_target }),
  ...(body.permitted_target !== undefined && { permittedTarget: body.permitted_target }),
});

export class ListAssetChangesQuery extends TimelineQuery {
  @OneOf(CHANGE_KINDS, { optional: true })
  kind?: ChangeKind;

  @Instant({ optional: true, description: 'Changes from this time on.' }, 'lower')
  since?: Date;

  @Instant({ optional: true, description: 'Changes until this time; a bare date includes its whole day.' }, 'upper')
  until?: Date;

  get filter(): Omit<ChangeFilter, 'organizationId' | 'assetId'> {
    return { kind: this.kind, since: this.since, until: this.until };
  }
}

export class ListChangesQuery extends ListAssetChangesQuery {
  @Id({ optional: true, description: 'Only changes of this asset.' })
  asset_id?: number;
}
