import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountService, ApiKeysService } from '../../modules/identity';
import { LinkedProviders, ProviderSignInService, SIGN_IN_MS } from '../../modules/providers';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes, OwnSession } from '../http/route-metadata';
import { providerToken, setProviderCookie } from '../http/session-cookie';
import { Confirmations } from '../security/confirmations';
import { ConfirmationForm } from '../security/security.requests';
import { LinkedProvidersPage } from './linked-providers-page';
import { ConsentPage } from './provider-sign-in-pages';

const PAGE = '/settings/providers';

/** The providers that may sign the user in. */
@Controller(PAGE)
@OwnSession()
export class LinkedProvidersController {
  constructor(
    private readonly config: Config,
    private readonly signIns: ProviderSignInService,
    private readonly linked: LinkedProviders,
    private readonly keys: ApiKeysService,
    private readonly account: AccountService,
    private readonly confirmations: Confirmations,
  ) {}

  @Get()
  async show(@CurrentCaller() caller: Caller): Promise<Page> {
    const providers = await this.linked.list(caller);
    const ways = await this.account.waysToConfirm(caller);
    const hasKeysToReview = await this.keys.hasToReview(caller);
    return new Page('Settings', <LinkedProvidersPage {...{ providers, ways, hasKeysToReview }} />, 'settings', {
      tabTitle: 'Linked providers',
    });
  }

  /** A stolen session alone must not add a way to sign in. */
  @Post(':token/link')
  @HttpCode(200)
  @Changes({ operation: 'provider_identity.begin', resource: 'provider_identity' })
  async link(
    @CurrentCaller() caller: Caller,
    @Param('token') id: string,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    await this.confirmations.require(caller, form, request);
    const { provider, url, browser } = await this.signIns.begin({
      providerId: id,
      browser: providerToken(request, this.config),
      ip: request.ip ?? null,
      next: PAGE,
      linking: { caller, sessionId: request.portalSession?.id ?? 0 },
    });
    setProviderCookie(response, this.config, browser, SIGN_IN_MS);
    return new Page(
      'Link an identity provider',
      <ConsentPage url={url} issuer={provider.issuer} name={provider.name} />,
    );
  }

  @Post(':identity_id/keep')
  @Changes({ operation: 'provider_identity.keep', resource: 'provider_identity', id: 'identity_id' })
  async keep(@CurrentCaller() caller: Caller, @PathId('identity_id') id: number): Promise<SeeOther> {
    await this.linked.keep(caller, id);
    return new SeeOther(PAGE);
  }

  @Post(':identity_id/unlink')
  @Changes({ operation: 'provider_identity.unlink', resource: 'provider_identity', id: 'identity_id' })
  async unlink(@CurrentCaller() caller: Caller, @PathId('identity_id') id: number): Promise<SeeOther> {
    await this.linked.unlink(caller, id);
    return new SeeOther(PAGE, 'The provider was unlinked. Sessions and keys that it had opened have ended.');
  }
}
