import 'reflect-metadata';
import { SigningKeysService } from '../../modules/evidence';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { operatorScope, runInDomain } from '../cli/run-in-domain';

/**
 * Retires the signing key after SECRET_KEY has changed, because it is encrypted with the old key. Existing evidence can still be
 * verified. `npm start` runs this in a child process.
 */
void runInDomain((app) => {
  const description = {
    actor: system,
    operation: 'signing_key.retire',
    resourceType: 'signing_key',
    organizationId: null,
    metadata: { via: 'start' },
  } as const;
  return app.get(UnitOfWork).runIfDue(description, operatorScope, () => app.get(SigningKeysService).retireCurrent());
});
