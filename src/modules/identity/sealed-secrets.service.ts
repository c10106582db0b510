import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, reseal } from '../../platform/config/secret-key';
import { MailsRepository } from './data/mails.repository';
import { ProviderIdentitiesRepository } from './data/provider-identities.repository';
import type { SealedRow } from './data/sealed-row';
import { SecondFactorsRepository } from './data/second-factors.repository';
import { sealedMail } from './mail-queue';
import { sealedIdentity } from './provider-identities.service';
import { sealedFactor } from './second-factor.service';

const PIECE = 200;

interface SealedTable {
  listAfter(id: number, limit: number): Promise<SealedRow[]>;
  /** Returns false if the row has changed since it was read. */
  reencrypt(row: SealedRow, sealed: Buffer): Promise<boolean>;
}

export interface SealedSecrets {
  readonly secondFactors: number;
  readonly mails: number;
  readonly identities: number;
}

/** Encrypts secrets of users with the current SECRET_KEY, piece by piece: each statement locks one row. */
@Injectable()
export class SealedSecretsService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly mails: MailsRepository,
    private readonly identities: ProviderIdentitiesRepository,
    private readonly config: Config,
  ) {}

  /** Returns how many were encrypted with another key. Throws at the first that no key decrypts. */
  async reencrypt(options: { countOnly: boolean }): Promise<SealedSecrets> {
    return {
      secondFactors: await reencryptRows(this.factors, sealedFactor, this.config, options),
      mails: await reencryptRows(this.mails, sealedMail, this.config, options),
      identities: await reencryptRows(this.identities, sealedIdentity, this.config, options),
    };
  }
}

/** Encrypts the rows of a table with the current SECRET_KEY. Returns how many were encrypted with another key. */
export async function reencryptRows(
  table: SealedTable,
  { nameOf, remedy }: { nameOf(id: number): string; remedy: string },
  config: Config,
  { countOnly }: { countOnly: boolean },
): Promise<number> {
  const keys = decryptionKeysOf(config);
  let count = 0;
  let rows: SealedRow[] = [];
  do {
    rows = await table.listAfter(rows.at(-1)?.id ?? 0, PIECE);
    for (const row of rows) {
      const sealed = reseal(row.sealed, nameOf(row.id), keys, remedy);
      if (sealed !== undefined && (countOnly || (await table.reencrypt(row, sealed)))) count++;
    }
  } while (rows.length === PIECE);
  return count;
}
