import { Body, Controller } from '@nestjs/common';
import type { Caller, KeyScope } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Instant, Integer, OneOf } from '../../../platform/http/fields';
import { operationsTagged } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { MAX_SESSION_MINUTES, MIN_SESSION_MINUTES, type Requirement, REQUIREMENTS } from '../domain/sign-in-rules';
import { type RulesDraft, SignInRulesService } from '../sign-in-rules.service';
import { KeyScopes } from './api-key.requests';

const FROM = 'Until then members may come in without it; null for at once.';
const DAYS = 'The longest life of new API keys in days; null for no limit.';
const SCOPES = 'The scopes that new API keys may have; null for all.';
const minutes = (what: string): string => `A session ends ${what}; null for the default.`;

class SignInRulesRequest {
  @OneOf(REQUIREMENTS, { description: 'What a sign-in of a member needs beside the password.' })
  second_factor!: Requirement;

  @Instant({ nullable: true, description: FROM }, 'upper')
  second_factor_from?: Date | null;

  @Integer(MIN_SESSION_MINUTES, MAX_SESSION_MINUTES, { nullable: true, description: minutes('when it is unused') })
  idle_minutes?: number | null;

  @Integer(MIN_SESSION_MINUTES, MAX_SESSION_MINUTES, { nullable: true, description: minutes('after the sign-in') })
  session_minutes?: number | null;

  @Integer(1, 3_650, { nullable: true, description: DAYS })
  key_days?: number | null;

  @KeyScopes(SCOPES, { nullable: true })
  key_scopes?: KeyScope[] | null;

  @Instant(
    { nullable: true, description: 'Existing keys that break the rules end then; null to let them be.' },
    'upper',
  )
  keys_end?: Date | null;
}

class SignInRulesResponse {
  @ResponseField.string({ enum: REQUIREMENTS })
  second_factor!: string;

  @ResponseField.instant({ nullable: true, description: FROM })
  second_factor_from!: string | null;

  @ResponseField.integer({ nullable: true, description: minutes('when it is unused') })
  idle_minutes!: number | null;

  @ResponseField.integer({ nullable: true, description: minutes('after the sign-in') })
  session_minutes!: number | null;

  @ResponseField.integer({ nullable: true, description: DAYS })
  key_days!: number | null;

  @ResponseField.strings({ nullable: true, description: SCOPES })
  key_scopes!: string[] | null;
}

const present = (rules: RulesDraft): SignInRulesResponse => ({
  second_factor: rules.secondFactor,
  second_factor_from: rules.secondFactorFrom?.toISOString() ?? null,
  idle_minutes: rules.idleMinutes,
  session_minutes: rules.sessionMinutes,
  key_days: rules.keyDays,
  key_scopes: rules.allowedScopes,
});

const example = {
  second_factor: 'second_factor',
  second_factor_from: '2026-03-31T23:59:59.999Z',
  idle_minutes: 60,
  session_minutes: null,
  key_days: 90,
  key_scopes: ['read', 'ci'],
};

const operation = operationsTagged('Settings');

@Controller()
export class SignInRulesController {
  constructor(private readonly rules: SignInRulesService) {}

  @operation('GET /v1/organizations/{organization_id}/settings/sign-in', {
    id: 'getSignInRules',
    summary: 'Read the rules for sign-ins, sessions and API keys',
    role: 'owner',
    entityTag: true,
    success: { description: 'The rules.', body: SignInRulesResponse, example },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<SignInRulesResponse> {
    return present(await this.rules.get(caller, id));
  }

  @operation('PUT /v1/organizations/{organization_id}/settings/sign-in', {
    id: 'changeSignInRules',
    summary: 'Set the rules for sign-ins, sessions and API keys',
    description:
      'An owner who does not have the required factor gets a 409. Members without it see none of the pages of the organization; their keys still work.',
    role: 'owner',
    body: { example: { ...example, keys_end: null } },
    ifMatch: 'getSignInRules',
    success: { description: 'The rules.', body: SignInRulesResponse, example },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'settings.sign_in_rules_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() body: SignInRulesRequest,
  ): Promise<SignInRulesResponse> {
    const draft = {
      secondFactor: body.second_factor,
      secondFactorFrom: body.second_factor_from ?? null,
      idleMinutes: body.idle_minutes ?? null,
      sessionMinutes: body.session_minutes ?? null,
      keyDays: body.key_days ?? null,
      allowedScopes: body.key_scopes ?? null,
    };
    await this.rules.change(caller, id, draft, body.keys_end ?? null);
    return present(draft);
  }
}
