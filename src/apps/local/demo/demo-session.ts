import type { INestApplicationContext } from '@nestjs/common';
import type { AuditDescription } from '../../../platform/audit/audit-entry';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Authenticator } from '../../../platform/auth/authenticator';
import type { Caller } from '../../../platform/api/caller';

/** A demo user that is signed in, and uses the services of the API. */
export class DemoSession {
  private constructor(
    readonly app: INestApplicationContext,
    readonly caller: Caller,
  ) {}

  static async signIn(
    app: INestApplicationContext,
    { api_key, api_secret }: { api_key: string; api_secret: string },
  ): Promise<DemoSession> {
    const { caller } = await app.get(Authenticator).authenticate(api_key, api_secret);
    if (caller === undefined) throw new Error('The credentials of the demo owner are not valid.');
    return new DemoSession(app, caller);
  }

  /** Runs a step in an audited unit of work, like a request over HTTP. */
  run<T>(operation: string, resourceType: AuditDescription['resourceType'], work: () => Promise<T>): Promise<T> {
    const { actor, scope } = this.caller;
    const description = { actor, operation, resourceType, metadata: { via: 'demo' } };
    return this.app.get(UnitOfWork).run(description, scope, work);
  }
}
