import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { clientNetwork } from '../../../kernel/client-network';
import { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import type { ApiRequest, ApiResponse } from '../../../platform/api/api-request';
import { type AccessGuard, grantAccess } from '../../../platform/api/standing-access';
import { FailureThrottle } from '../../../platform/auth/failure-throttle';
import { Config } from '../../../platform/config/load-config';
import { DatabaseContext } from '../../../platform/database/database-context';
import { RequestLimitGuard } from '../../../platform/limits/request-limit.guard';
import { SCIM_TYPE } from '../domain/scim-resources';
import { ScimTokens } from '../scim-tokens.service';

const BEARER = /^bearer +(\S{1,200})$/i;
/** Of a token, up to its secret. */
const NAME_LENGTH = 41;

const tokenOf = ({ headers }: ApiRequest): string => BEARER.exec(headers.authorization ?? '')?.[1] ?? '';

const invalidToken = (): DomainError =>
  new DomainError('unauthenticated', 'A valid token is required: Authorization: Bearer, with the SCIM token.');

/** Requires the token of an organization's provider. Limits failures as those of API keys, and requests as those of one key. */
@Injectable()
export class ScimGuard implements CanActivate, AccessGuard {
  private readonly throttle: FailureThrottle;

  constructor(
    config: Config,
    clock: Clock,
    private readonly tokens: ScimTokens,
    private readonly limits: RequestLimitGuard,
    private readonly database: DatabaseContext,
  ) {
    this.throttle = new FailureThrottle(config.AUTH_FAILURES_PER_MINUTE, clock);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const token = tokenOf(request);
    const claimed = this.database.claim('scim', token);
    const provider = await this.tokens.authenticate(token);
    if (provider === undefined) throw this.refusal(request, token);
    this.database.authenticated(claimed, `organization ${provider.organizationId}`);
    request.provider = provider;
    grantAccess(request, this);
    context.switchToHttp().getResponse<ApiResponse>().setHeader('Content-Type', SCIM_TYPE);
    return this.limits.canActivate(context);
  }

  async askAgain(request: ApiRequest): Promise<void> {
    if ((await this.tokens.authenticate(tokenOf(request))) === undefined) throw invalidToken();
  }

  private refusal(request: ApiRequest, token: string): DomainError {
    const subjects = [`address ${clientNetwork(request.ip ?? '')}`];
    if (token !== '') subjects.push(`token ${token.slice(0, NAME_LENGTH)}`);
    const wait = this.throttle.fail(...subjects);
    return wait === undefined
      ? invalidToken()
      : new DomainError(
          'too_many_requests',
          `Too many attempts with invalid tokens. Try again in ${wait} seconds.`,
          wait,
        );
  }
}
