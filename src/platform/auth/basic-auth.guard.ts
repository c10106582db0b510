import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../audit/unit-of-work';
import { Config } from '../config/load-config';
import { retryWhileUnavailable } from '../database/retry-while-unavailable';
import { type ApiRequest, requestMetadata } from '../api/api-request';
import { type OperationMetadata, operationMetadata } from '../api/operation-metadata';
import { Background } from '../work/background';
import type { Authentication, KnownKey } from './authenticator';
import { basicCredentials } from './basic-credentials';
import { type BasicOutcome, StrictBasicStrategy } from './basic.strategy';
import { BeaconAuthenticator } from './beacon-authenticator';
import { FailureThrottle } from './failure-throttle';
import { Scope } from '../api/scope';

type Credentials = OperationMetadata['credentials'];

const unauthenticated = (credentials?: Credentials): DomainError =>
  new DomainError(
    'unauthenticated',
    credentials === 'beacon'
      ? 'Valid credentials are needed: HTTP Basic with the id of the beacon as username and its token as password.'
      : 'Valid credentials are needed: HTTP Basic with the API key as username and the API secret as password.',
  );

/** Global: nobody passes without valid credentials, but to the routes that say of themselves that they are open. */
@Injectable()
export class BasicAuthGuard implements CanActivate {
  private readonly throttle: FailureThrottle;
  private readonly patienceMs: number;

  constructor(
    config: Config,
    clock: Clock,
    private readonly strategy: StrictBasicStrategy,
    private readonly unitOfWork: UnitOfWork,
    private readonly background: Background,
    private readonly beacons: BeaconAuthenticator,
  ) {
    this.throttle = new FailureThrottle(config.AUTH_FAILURES_PER_MINUTE, clock);
    this.patienceMs = config.DATABASE_PATIENCE_MS;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const story = operationMetadata(context.getHandler());
    if (story === 'open') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (typeof story === 'object') request.routeTemplate = story.path;
    if (typeof story === 'object' && story.credentials === 'beacon') return this.admitBeacon(request);
    if (typeof story === 'object' && story.patient) request.retryUntil = performance.now() + this.patienceMs;
    const { retryUntil: until } = request;
    const authenticate = () => this.authenticate(request);
    const { caller, knownKey } = await (until === undefined
      ? authenticate()
      : retryWhileUnavailable(authenticate, until));
    if (caller === undefined) throw this.refusal(request, knownKey);
    request.caller = caller;
    return true;
  }

  /**
   * Asks the strategy as passport asks it, on an instance of its own that knows where to answer. Not through passport
   * itself: that keeps one strategy of a name for the whole process, whoever asks, and costs more than the strategy.
   */
  private authenticate(request: ApiRequest): Promise<Authentication & { knownKey?: KnownKey }> {
    return new Promise((resolve, reject) => {
      const attempt = Object.create(this.strategy) as StrictBasicStrategy & BasicOutcome;
      attempt.success = resolve;
      attempt.error = reject;
      attempt.authenticate(request);
    });
  }

  private async admitBeacon(request: ApiRequest): Promise<boolean> {
    const credentials = basicCredentials(request);
    const beaconId = credentials && (await this.beacons.authenticate(credentials.username, credentials.password));
    if (beaconId === undefined) throw this.refusal(request, undefined, 'beacon');
    request.beaconId = beaconId;
    return true;
  }

  private refusal(request: ApiRequest, knownKey: KnownKey | undefined, credentials?: Credentials): DomainError {
    const subjects = [`address ${request.ip}`];
    const username = basicCredentials(request)?.username;
    if (username !== undefined) subjects.push(`key ${username.slice(0, 64)}`);
    const wait = this.throttle.fail(...subjects);
    if (wait !== undefined) {
      return new DomainError(
        'too_many',
        `Too many wrong credentials. Try again in ${wait} seconds; valid ones are not slowed.`,
        wait,
      );
    }
    if (knownKey !== undefined) this.recordAttempt(request, knownKey);
    return unauthenticated(credentials);
  }

  /** In the background: an entry written first would make a known key slower to refuse than an unknown one. */
  private recordAttempt(request: ApiRequest, knownKey: KnownKey): void {
    const description = {
      actor: knownKey.actor,
      operation: 'api_key.authenticate',
      resourceType: 'api_key',
      resourceId: knownKey.accessKey,
      organizationId: knownKey.organizationId,
      metadata: { ...requestMetadata(request), api_key: knownKey.accessKey },
    } as const;
    this.background.run('audit of a refused key', () =>
      this.unitOfWork.refuse(description, Scope.organizations([]), unauthenticated()),
    );
  }
}
