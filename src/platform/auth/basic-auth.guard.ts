import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AuthGuard, type IAuthGuard } from '@nestjs/passport';
import { DomainError } from '../../kernel/domain-error';
import { clientNetwork } from '../../kernel/client-network';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../audit/unit-of-work';
import { Config } from '../config/load-config';
import { DatabaseContext } from '../database/database-context';
import { Metrics } from '../metrics/metrics';
import { retryWhileUnavailable } from '../database/retry-while-unavailable';
import { type ApiRequest, requestMetadata } from '../api/api-request';
import { type AccessGuard, grantAccess } from '../api/standing-access';
import { type OperationMetadata, operationMetadata } from '../api/operation-metadata';
import { BackgroundTasks } from '../work/background-tasks';
import { Authenticator, type KnownKey } from './authenticator';
import { type BasicCredentials, basicCredentials } from './basic-credentials';
import type { BasicAttempt } from './basic.strategy';
import { type AuthenticatedBeacon, BeaconAuthenticator } from './beacon-authenticator';
import type { Caller } from '../api/caller';
import { FailureThrottle } from './failure-throttle';
import { Scope } from '../api/scope';

type Credentials = OperationMetadata['credentials'];

interface BasicAuthRequest extends ApiRequest {
  /** The key of rejected credentials, if it exists; for the audit log. */
  refusedKey?: KnownKey | undefined;
  /** Why valid credentials are refused. */
  refusedFor?: string | undefined;
}

const REQUIRED = {
  key: 'the API key as username and the API secret as password.',
  beacon: 'the id of the beacon as username and its token as password.',
  registration: 'the id of the beacon and its registration token. It ends after an hour, and when another one is made.',
  deletion: 'the id of the beacon and its deletion token. It ends after an hour, and when another one is made.',
} as const;

const unauthenticated = (credentials?: Credentials): DomainError =>
  new DomainError(
    'unauthenticated',
    `Valid credentials are required: HTTP Basic with ${REQUIRED[credentials ?? 'key']}`,
  );

type AuthenticateOptions = ReturnType<IAuthGuard['getAuthenticateOptions']>;

/** Requires valid credentials on every route, except on those whose metadata declares them open. */
@Injectable()
export class BasicAuthGuard extends AuthGuard('basic') implements AccessGuard {
  private readonly throttle: FailureThrottle;
  private readonly retryMs: number;
  private readonly failures;

  constructor(
    config: Config,
    clock: Clock,
    private readonly authenticator: Authenticator,
    private readonly beacons: BeaconAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly background: BackgroundTasks,
    private readonly database: DatabaseContext,
    metrics: Metrics,
  ) {
    super();
    this.failures = metrics.counter({
      name: 'assay_authentication_failures_total',
      help: 'Requests to the API without valid credentials. throttled: too many of one address or key',
      labels: { credentials: ['api_key', 'beacon'], reason: ['refused', 'throttled'] },
    });
    this.throttle = new FailureThrottle(config.AUTH_FAILURES_PER_MINUTE, clock);
    this.retryMs = config.DATABASE_RETRY_MS;
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = operationMetadata(context.getHandler());
    if (operation === 'open') {
      this.database.setOpen();
      return true;
    }
    const request = context.switchToHttp().getRequest<BasicAuthRequest>();
    if (typeof operation === 'object') {
      request.routeTemplate = operation.path;
      request.hasEntityTag = operation.entityTag;
    }
    if (typeof operation === 'object' && operation.retriesWhileUnavailable)
      request.retryDeadline = performance.now() + this.retryMs;
    const kind = typeof operation === 'object' ? operation.credentials : undefined;
    if (kind !== undefined)
      request.beaconId = (await this.authenticate(request, (given) => this.verifyBeacon(given, kind), kind)).id;
    else request.caller = await this.authenticate(request, (given) => this.verifyKey(request, given));
    grantAccess(request, this);
    return true;
  }

  async askAgain(request: ApiRequest): Promise<void> {
    const given = basicCredentials(request) ?? { username: '', password: '' };
    const { caller: begun, params } = request;
    const { organization_id: organizationId } = params;
    if (begun === undefined) {
      if ((await this.verifyBeacon(given)) === undefined) throw unauthenticated('beacon');
      return;
    }
    const caller = await this.verifyKey(request, given);
    if (caller === undefined) throw unauthenticated();
    caller.requireAllOf(begun, organizationId === undefined ? undefined : Number(organizationId));
  }

  override getAuthenticateOptions(): AuthenticateOptions {
    return { session: false };
  }

  /** Called by passport with what the strategy decided. */
  override handleRequest<User>(error: unknown, user: User): User {
    if (error) throw error;
    return user;
  }

  private async authenticate<User extends Caller | AuthenticatedBeacon>(
    request: BasicAuthRequest,
    verify: (credentials: BasicCredentials) => Promise<User | undefined>,
    kind?: Credentials,
  ): Promise<User> {
    const attempt: BasicAttempt = { credentials: basicCredentials(request), verify };
    try {
      await super.canActivate(new ExecutionContextHost([attempt]));
    } finally {
      attempt.verify = undefined;
    }
    if (!attempt.user) throw this.refusal(request, kind);
    return attempt.user as User;
  }

  private async verifyKey(
    request: BasicAuthRequest,
    { username, password }: BasicCredentials,
  ): Promise<Caller | undefined> {
    const { retryDeadline } = request;
    const claimed = this.database.claim(username, password);
    const authenticate = () => this.authenticator.authenticate(username, password);
    const { caller, knownKey, reason } = await (retryDeadline === undefined
      ? authenticate()
      : retryWhileUnavailable(authenticate, retryDeadline));
    request.refusedKey = knownKey;
    request.refusedFor = reason;
    if (caller !== undefined) this.database.authenticated(claimed, caller.tenant);
    return caller;
  }

  /** A token of one kind opens no operation of another. */
  private async verifyBeacon(
    { username, password }: BasicCredentials,
    kind?: Credentials,
  ): Promise<AuthenticatedBeacon | undefined> {
    const claimed = this.database.claim(username, password);
    const beacon = await this.beacons.authenticate(username, password);
    if (kind !== undefined && beacon?.credentials !== kind) return undefined;
    if (beacon !== undefined) this.database.authenticated(claimed, beacon.tenant);
    return beacon;
  }

  private refusal(request: BasicAuthRequest, credentials?: Credentials): DomainError {
    const subjects = [`address ${clientNetwork(request.ip ?? '')}`];
    const username = basicCredentials(request)?.username;
    if (username !== undefined) subjects.push(`key ${username.slice(0, 64)}`);
    const wait = this.throttle.fail(...subjects);
    this.failures({
      credentials: credentials === undefined ? 'api_key' : 'beacon',
      reason: wait === undefined ? 'refused' : 'throttled',
    });
    if (wait !== undefined) {
      return new DomainError(
        'too_many_requests',
        `Too many attempts with invalid credentials. Try again in ${wait} seconds. Valid credentials are not limited.`,
        wait,
      );
    }
    if (request.refusedKey !== undefined) this.recordAttempt(request, request.refusedKey);
    return request.refusedFor === undefined
      ? unauthenticated(credentials)
      : new DomainError('unauthenticated', request.refusedFor);
  }

  /** In the background: otherwise the response time would show whether a key exists. */
  private recordAttempt(request: BasicAuthRequest, knownKey: KnownKey): void {
    const description = {
      actor: knownKey.actor,
      operation: 'api_key.authenticate',
      resourceType: 'api_key',
      resourceId: knownKey.accessKey,
      organizationId: knownKey.organizationId,
      metadata: { ...requestMetadata(request), api_key: knownKey.accessKey },
    } as const;
    this.background.run('writing the audit entry of a rejected API key', () =>
      this.unitOfWork.refuse(description, Scope.organizations([]), unauthenticated()),
    );
  }
}
