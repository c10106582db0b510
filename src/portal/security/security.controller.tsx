import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccountService, SecondFactorService } from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { Page, SeeOther } from '../frame/page';
import { BrowserSession } from '../http/browser-session';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { EnrollmentPage, SecurityPage, type ShownSecurity } from './security-page';
import { CodeForm, CurrentPasswordForm, NameForm, PasswordForm, TurnOffForm } from './security.requests';

const PAGE = '/settings/security';
const OPTIONS = { tabTitle: 'Security' };

@Controller('settings/security')
export class SecurityController {
  constructor(
    private readonly account: AccountService,
    private readonly secondFactor: SecondFactorService,
    private readonly browser: BrowserSession,
  ) {}

  @Get()
  show(@CurrentCaller() caller: Caller): Promise<Page> {
    return this.page(caller);
  }

  @Post('name')
  @Changes({ operation: 'user.name_change', resource: 'user' })
  changeName(@CurrentCaller() caller: Caller, @Body() given: GivenForm): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { name = null } = await given.read(NameForm);
        await this.account.changeName(caller, name);
        return new SeeOther(PAGE);
      },
      (problem) => this.page(caller, { refused: 'name', problem }),
    );
  }

  @Post('password')
  @Changes({ operation: 'user.password_change', resource: 'user' })
  changePassword(
    @CurrentCaller() caller: Caller,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { current, password } = await given.read(PasswordForm);
        await this.account.changePassword(caller, { current, password, ip: request.ip ?? null });
        await this.browser.renew(caller.facts.userId, request, response);
        return this.page(caller, { success: 'The password was changed, and all other sessions were ended.' });
      },
      (problem) => this.page(caller, { refused: 'password', problem }),
    );
  }

  @Post('totp/begin')
  @Changes({ operation: 'second_factor.begin', resource: 'second_factor' })
  begin(
    @CurrentCaller() caller: Caller,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { current } = await given.read(CurrentPasswordForm);
        await this.account.requirePassword(caller, current, request.ip ?? null);
        await this.secondFactor.begin(caller);
        return new SeeOther(`${PAGE}/totp`);
      },
      (problem) => this.page(caller, { refused: 'begin', problem }),
    );
  }

  @Get('totp')
  enroll(@CurrentCaller() caller: Caller): Promise<Page | SeeOther> {
    return this.enrollment(caller);
  }

  @Post('totp/confirm')
  @Changes({ operation: 'second_factor.confirm', resource: 'second_factor' })
  confirm(
    @CurrentCaller() caller: Caller,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { code } = await given.read(CodeForm);
        const recoveryCodes = await this.secondFactor.confirm(caller, code);
        await this.browser.renew(caller.facts.userId, request, response);
        return this.page(caller, { recoveryCodes, success: 'The app is set up. Other sessions were ended.' });
      },
      (problem) => this.enrollmentAgain(caller, problem),
    );
  }

  @Post('totp/codes')
  @Changes({ operation: 'second_factor.recovery_codes', resource: 'second_factor' })
  replaceCodes(@CurrentCaller() caller: Caller, @Body() given: GivenForm): Promise<Page> {
    return orShowAgain(
      async () => {
        const { code } = await given.read(CodeForm);
        return this.page(caller, { recoveryCodes: await this.secondFactor.replaceRecoveryCodes(caller, code) });
      },
      (problem) => this.page(caller, { refused: 'codes', problem }),
    );
  }

  @Post('totp/off')
  @Changes({ operation: 'second_factor.remove', resource: 'second_factor' })
  turnOff(
    @CurrentCaller() caller: Caller,
    @Body() given: GivenForm,
    @Req() request: PortalRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { current, code } = await given.read(TurnOffForm);
        await this.account.requirePassword(caller, current, request.ip ?? null);
        await this.secondFactor.turnOff(caller, code);
        await this.browser.renew(caller.facts.userId, request, response);
        return this.page(caller, { success: 'The app was turned off. Other sessions were ended.' });
      },
      (problem) => this.page(caller, { refused: 'off', problem }),
    );
  }

  private async page(
    caller: Caller,
    shown: Omit<ShownSecurity, 'email' | 'name' | 'secondFactor'> = {},
  ): Promise<Page> {
    const { email, name } = await this.account.get(caller);
    const secondFactor = await this.secondFactor.stateOf(caller.facts.userId);
    return new Page('Settings', <SecurityPage {...{ ...shown, email, name, secondFactor }} />, 'settings', OPTIONS);
  }

  private async enrollment(caller: Caller, problem?: string): Promise<Page | SeeOther> {
    const enrollment = await this.secondFactor.findEnrollment(caller);
    if (enrollment === undefined) return new SeeOther(PAGE);
    return new Page('Settings', <EnrollmentPage {...{ enrollment, problem }} />, 'settings', OPTIONS);
  }

  /** Another request may have completed or canceled it meanwhile. */
  private async enrollmentAgain(caller: Caller, problem: string): Promise<Page> {
    const again = await this.enrollment(caller, problem);
    return again instanceof Page ? again : this.page(caller, { refused: 'begin', problem });
  }
}
