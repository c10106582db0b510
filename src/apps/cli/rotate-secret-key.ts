import { invalid } from '../../kernel/domain-error';
import { SealedAccountSecrets } from '../../modules/accounts';
import { SigningKeysService } from '../../modules/evidence';
import { type SealedSecrets, SealedSecretsService } from '../../modules/identity';
import { ChannelUrls } from '../../modules/notifications';
import { Providers } from '../../modules/providers';
import { TrackerCredentials } from '../../modules/trackers';
import { WebhookSecrets } from '../../modules/webhooks';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Config } from '../../platform/config/load-config';
import { asOperator, runWithModules } from './run-in-domain';

export interface RotatedSecrets extends SealedSecrets {
  readonly signingKeys: number;
  readonly webhooks: number;
  readonly channels: number;
  readonly trackers: number;
  readonly providers: number;
  readonly accounts: number;
}

/**
 * Encrypts with SECRET_KEY what SECRET_KEY_PREVIOUS encrypted. First reads everything, so that a wrong key changes nothing. The
 * changes are no single transaction, because that would lock the secrets of all users: an interrupted run is repeated. So the
 * audit entry comes before the first of them.
 */
export function rotateSecretKey(config: Config): Promise<RotatedSecrets> {
  if (config.SECRET_KEY_PREVIOUS === undefined)
    throw invalid(
      'SECRET_KEY_PREVIOUS is not set. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old one.',
    );
  return runWithModules(config, async (app) => {
    const reencrypt = async (options: { countOnly: boolean }): Promise<RotatedSecrets> => ({
      signingKeys: await app.get(SigningKeysService).reencrypt(options),
      webhooks: await app.get(WebhookSecrets).reencrypt(options),
      channels: await app.get(ChannelUrls).reencrypt(options),
      trackers: await app.get(TrackerCredentials).reencrypt(options),
      providers: await app.get(Providers).reencrypt(options),
      accounts: await app.get(SealedAccountSecrets).reencrypt(options),
      ...(await app.get(SealedSecretsService).reencrypt(options)),
    });
    const found = await reencrypt({ countOnly: true });
    if (Object.values(found).every((count) => count === 0)) return found;
    const { signingKeys, secondFactors, ...rest } = found;
    const metadata = { signing_keys: signingKeys, second_factors: secondFactors, ...rest };
    const description = { operation: 'secret_key.rotate', resourceType: 'secret_key', organizationId: null } as const;
    await asOperator(app, description, async () => app.get(UnitOfWork).note({ metadata }));
    return reencrypt({ countOnly: false });
  });
}
