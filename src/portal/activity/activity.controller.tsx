import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Integer, OneOf } from '../../platform/http/fields';
import { RECORD_KINDS } from '../../modules/feed';
import { Scope } from '../../platform/api/scope';
import { Fragment, Page } from '../frame/page';
import { SettingsTabs } from '../frame/settings-tabs';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { LiveStreams } from '../live/live-streams';
import { ActivityPage, LiveActivity } from './activity-page';
import { ActivityReader } from './activity-reader';

class ActivityQuery {
  @OneOf(['', ...RECORD_KINDS], { optional: true })
  type?: string;

  @Integer(1, Number.MAX_SAFE_INTEGER, { optional: true })
  before?: number;

  get kind(): string | undefined {
    return this.type === '' ? undefined : this.type;
  }
}

@Controller('o/:organization/activity')
export class ActivityController {
  constructor(
    private readonly reader: ActivityReader,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async show(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { kind: type, before }: ActivityQuery,
  ): Promise<Page> {
    const activity = await this.reader.read(caller.scope, organizationId, type, before);
    const body = (
      <>
        <SettingsTabs current="activity" />
        <ActivityPage {...{ activity, type, from: before }} />
      </>
    );
    return new Page('Activity', body, 'activity');
  }

  @Get('live')
  async live(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { kind: type }: ActivityQuery,
  ): Promise<Fragment> {
    const activity = await this.reader.read(caller.scope, organizationId, type);
    return new Fragment(<LiveActivity activity={activity} type={type} />);
  }

  @Get('stream')
  follow(
    @InOrganization() { organizationId }: Place,
    @Query() { kind: type }: ActivityQuery,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): void {
    const followed = this.reader.follow(Scope.organizations([organizationId]), organizationId, type);
    this.streams.open(request, response, followed);
  }
}
