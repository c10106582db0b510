import { Controller, Get, Post, Redirect, Req } from '@nestjs/common';
import { SessionsService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SEE_OTHER } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes, OwnSession } from '../http/route-metadata';
import { SessionsPage } from './sessions-page';

@Controller('settings/sessions')
@OwnSession()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  async show(@CurrentCaller() caller: Caller, @Req() request: PortalRequest): Promise<Page> {
    const sessions = await this.sessions.list(caller.facts.userId);
    return new Page(
      'Settings',
      <SessionsPage sessions={sessions} current={request.portalSession?.id ?? 0} />,
      'settings',
      { tabTitle: 'Sessions' },
    );
  }

  @Post('end-others')
  @Redirect('/settings/sessions', SEE_OTHER)
  @Changes({ operation: 'session.end', resource: 'session' })
  async endOthers(@CurrentCaller() caller: Caller, @Req() request: PortalRequest): Promise<void> {
    await this.sessions.endOthers(caller.facts.userId, request.portalSession?.id ?? 0);
  }

  @Post(':session_id/end')
  @Redirect('/settings/sessions', SEE_OTHER)
  @Changes({ operation: 'session.end', resource: 'session', id: 'session_id' })
  async end(@CurrentCaller() caller: Caller, @PathId('session_id') id: number): Promise<void> {
    await this.sessions.end(caller.facts.userId, id);
  }
}
