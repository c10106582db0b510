import { Controller, Get, Redirect } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';

@Controller()
export class StartController {
  @Get()
  @Redirect('/settings/sessions', 302)
  show(@CurrentCaller() _caller: Caller): void {}
}
