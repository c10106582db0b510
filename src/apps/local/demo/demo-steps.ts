import type { INestApplicationContext } from '@nestjs/common';
import type { AuditDescription } from '../../../platform/audit/audit-entry';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Authenticator } from '../../../platform/auth/authenticator';
import type { Caller } from '../../../platform/api/caller';

/** Somebody of the demo, at work through the services that the API itself uses. */
export class DemoSteps {
  private constructor(
    readonly app: INestApplicationContext,
    readonly caller: Caller,
  ) {}

  static async by(
    app: INestApplicationContext,
    { api_key, api_secret }: { api_key: string; api_secret: string },
  ): Promise<DemoSteps> {
    const { caller } = await app.get(Authenticator).authenticate(api_key, api_secret);
    if (caller === undefined) throw new Error('the demo owner cannot sign in');
    return new DemoSteps(app, caller);
  }

  /** Each step leaves its entry in the audit log, as it would have come by HTTP. */
  take<T>(operation: string, resourceType: AuditDescription['resourceType'], work: () => Promise<T>): Promise<T> {
    const { actor, scope } = this.caller;
    const description = { actor, operation, resourceType, metadata: { via: 'demo' } };
    return this.app.get(UnitOfWork).run(description, scope, work);
  }
}
