import { ResponseField } from '../../../platform/api/response-field';
import type { EvidenceKey } from '../data/signing-key.entity';

export class EvidenceKeyResponse {
  @ResponseField.string({ description: 'The first 16 hex digits of the SHA-256 of the public key.' })
  id!: string;

  @ResponseField.string({ enum: ['Ed25519'] })
  algorithm!: string;

  @ResponseField.string({ description: 'SubjectPublicKeyInfo as PEM.' })
  public_key!: string;

  @ResponseField.instant()
  created!: string;

  @ResponseField.instant({ nullable: true, description: 'Null for the current key.' })
  retired!: string | null;
}

export class EvidenceKeyListResponse {
  @ResponseField.list(EvidenceKeyResponse)
  keys!: EvidenceKeyResponse[];
}

export const presentEvidenceKey = ({ id, publicKey, created, retired }: EvidenceKey): EvidenceKeyResponse => ({
  id,
  algorithm: 'Ed25519',
  public_key: publicKey,
  created: created.toISOString(),
  retired: retired?.toISOString() ?? null,
});

export const evidenceKeyExample: EvidenceKeyResponse = {
  id: '24eba27efbde870a',
  algorithm: 'Ed25519',
  public_key:
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJ2Yx+BfODdLlShd6uNkhl4AiEJMRu3qzyAqjLjsnfao=\n-----END PUBLIC KEY-----\n',
  created: '2026-01-31T12:00:00.000Z',
  retired: null,
};
