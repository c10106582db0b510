import 'reflect-metadata';
import { SigningKeysService } from '../../modules/evidence';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { operatorScope, runInDomain } from '../cli/run-in-domain';

/**
 * For a database that is started with another SECRET_KEY than before: the key that signs evidence is encrypted under the
 * old one, and could not be used. What it has signed can still be checked. Run by `npm start` in a process of its own.
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
