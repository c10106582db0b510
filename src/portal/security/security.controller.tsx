import { Body, Controller, Get, Post, Redirect, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountService, SecondFactorService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page, SEE_OTHER, SeeOther } from '../frame/page';
import { BrowserSession, clientOf } from '../http/browser-session';
import type { PortalRequest } from '../http/portal-request';
import { Changes, OwnSession, PostChange } from '../http/route-metadata';
import { Confirmations } from './confirmations';
import { EnrollmentPage } from './security-page';
import { OPTIONS, PAGE, SecurityPages } from './security-pages';
import { CodeForm, ConfirmationForm, NameForm, PasswordForm } from './security.requests';

const ENROLLMENT_PAGE = `${PAGE}/totp`;

@Controller(PAGE)
@OwnSession()
export class SecurityController {
  constructor(
    private readonly config: Config,
    private readonly account: AccountService,
    private readonly secondFactor: SecondFactorService,
    private readonly confirmations: Confirmations,
    private readonly browser: BrowserSession,
    private readonly pages: SecurityPages,
  ) {}

  @Get()
  show(@CurrentCaller() caller: Caller): Promise<Page> {
    return this.pages.show(caller);
  }

  @Post('name')
  @Redirect(PAGE, SEE_OTHER)
  @Changes({ operation: 'user.name_change', resource: 'user' })
  async changeName(@CurrentCaller() caller: Caller, @Body() { name }: NameForm): Promise<void> {
    await this.account.changeName(caller, name ?? null);
  }

  @PostChange('password', { operation: 'user.password_change', resource: 'user' })
  async changePassword(
    @CurrentCaller() caller: Caller,
    @Body() { current, password }: PasswordForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    await this.account.changePassword(caller, { current, password, ...clientOf(request, this.config) });
    await this.browser.renew(caller.facts.userId, request, response);
    return this.pages.show(caller, {
      success:
        'The password was changed, and all other sessions were ended. Your API keys still work: revoke those that you do not know.',
    });
  }

  @Post('totp/begin')
  @Redirect(ENROLLMENT_PAGE, SEE_OTHER)
  @Changes({ operation: 'second_factor.begin', resource: 'second_factor' })
  async begin(
    @CurrentCaller() caller: Caller,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
  ): Promise<void> {
    await this.confirmations.require(caller, form, request);
    await this.secondFactor.begin(caller);
  }

  @Get('totp')
  async enroll(@CurrentCaller() caller: Caller): Promise<Page | SeeOther> {
    const enrollment = await this.secondFactor.findEnrollment(caller);
    if (enrollment === undefined) return new SeeOther(PAGE);
    return new Page('Settings', <EnrollmentPage enrollment={enrollment} />, 'settings', OPTIONS);
  }

  @PostChange('totp/confirm', { operation: 'second_factor.confirm', resource: 'second_factor' })
  async confirm(
    @CurrentCaller() caller: Caller,
    @Body() { code }: CodeForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    const recoveryCodes = await this.secondFactor.confirm(caller, code);
    await this.browser.renew(caller.facts.userId, request, response);
    return this.pages.show(caller, { recoveryCodes, success: 'The app is set up. Other sessions were ended.' });
  }

  @PostChange('totp/codes', { operation: 'second_factor.recovery_codes', resource: 'second_factor' })
  async replaceCodes(
    @CurrentCaller() caller: Caller,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    await this.confirmations.require(caller, form, request);
    return this.pages.show(caller, { recoveryCodes: await this.secondFactor.replaceRecoveryCodes(caller) });
  }

  @PostChange('totp/off', { operation: 'second_factor.remove', resource: 'second_factor' })
  async turnOff(
    @CurrentCaller() caller: Caller,
    @Body() form: ConfirmationForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    await this.confirmations.require(caller, form, request);
    await this.secondFactor.turnOff(caller);
    await this.browser.renew(caller.facts.userId, request, response);
    return this.pages.show(caller, { success: 'The app was turned off. Other sessions were ended.' });
  }
}
