import { Body, Controller, Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountService, PasskeysService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import { PasskeyRequests } from '../http/passkey-requests';
import type { PortalRequest } from '../http/portal-request';
import { OwnSession, PostChange } from '../http/route-metadata';
import { PASSKEYS } from './confirmation-fields';
import { Confirmations, sessionOf } from './confirmations';
import { NewPasskeyPage } from './passkeys-card';
import { PAGE, SecurityPages } from './security-pages';
import { ConfirmationForm, NewPasskeyForm, PasskeyNameForm } from './security.requests';

/** The passkeys of the signed-in user. */
@Controller(PASSKEYS)
@OwnSession()
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly account: AccountService,
    private readonly confirmations: Confirmations,
    private readonly requests: PasskeyRequests,
    private readonly browser: BrowserSession,
    private readonly pages: SecurityPages,
  ) {}

  /** For forms that an existing passkey confirms. */
  @Get('confirm')
  confirm(
    @CurrentCaller() { facts: { userId } }: Caller,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { party, challenge } = this.requests.begin(request, response, 'confirm', sessionOf(request));
    return this.passkeys.requestOptions(party, challenge, userId);
  }

  /** The challenge that it issues is the permission for a new passkey. */
  @PostChange('begin', { operation: 'passkey.begin', resource: 'passkey' })
  async begin(
    @CurrentCaller() caller: Caller,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    this.requests.givenIn(request);
    await this.confirmations.require(caller, form, request);
    this.requests.begin(request, response, 'add', sessionOf(request));
    return new SeeOther(`${PASSKEYS}/new`);
  }

  @Get('new')
  askName(): Page {
    return new Page('Settings', <NewPasskeyPage />, 'settings', { tabTitle: 'Add a passkey' });
  }

  @Get('new/options')
  options(@CurrentCaller() caller: Caller, @Req() request: PortalRequest): Promise<object> {
    return this.passkeys.creationOptions(caller, { ...this.requests.givenIn(request), boundTo: sessionOf(request) });
  }

  @PostChange('', { operation: 'passkey.create', resource: 'passkey' })
  async add(
    @CurrentCaller() caller: Caller,
    @Body() { name, response: answer }: NewPasskeyForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    const given = { ...this.requests.givenIn(request), response: answer, boundTo: sessionOf(request) };
    const recoveryCodes = await this.account.addPasskey(caller, name, given);
    await this.browser.renew(caller.facts.userId, request, response, true);
    return this.pages.show(caller, { recoveryCodes, success: 'The passkey was added. Other sessions were ended.' });
  }

  @PostChange(':passkey_id/rename', { operation: 'passkey.rename', resource: 'passkey', id: 'passkey_id' })
  async rename(
    @CurrentCaller() caller: Caller,
    @PathId('passkey_id') id: number,
    @Body() { name }: PasskeyNameForm,
  ): Promise<SeeOther> {
    await this.passkeys.rename(caller, id, name);
    return new SeeOther(PAGE);
  }

  @PostChange(':passkey_id/remove', { operation: 'passkey.remove', resource: 'passkey', id: 'passkey_id' })
  async remove(
    @CurrentCaller() caller: Caller,
    @PathId('passkey_id') id: number,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.confirmations.require(caller, form, request);
    await this.passkeys.remove(caller, id);
    await this.browser.renew(caller.facts.userId, request, response);
    return new SeeOther(PAGE, 'The passkey was removed. Other sessions were ended.');
  }
}
