import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { EvidenceModule, SigningKeysService } from '../../modules/evidence';
import type { Config } from '../../platform/config/load-config';
import { asOperator, runWithModules } from './run-in-domain';

/** Returns the id of the key. */
export function retireSigningKey(config: Config): Promise<string> {
  const description = { operation: 'signing_key.retire', resourceType: 'signing_key', organizationId: null } as const;
  const retire = (app: INestApplicationContext) =>
    asOperator(app, description, async () => {
      const id = await app.get(SigningKeysService).retireCurrent();
      if (id === undefined)
        throw new DomainError('not_found', 'There is no signing key. The first retest creates one.');
      return id;
    });
  return runWithModules(config, retire, [EvidenceModule]);
}
