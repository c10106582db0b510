import { ResponseField } from '../../../platform/api/response-field';
import type { ConsistencyProof, InclusionProof } from '../audit-heads.service';
import type { SignedHead } from '../domain/signed-head';

class AuditHeadSignatureResponse {
  @ResponseField.string({ enum: ['Ed25519'] })
  algorithm!: string;

  @ResponseField.string({ description: 'The first 16 hex digits of the SHA-256 of the public key.' })
  key!: string;

  @ResponseField.string({ description: 'SubjectPublicKeyInfo in Base64.' })
  public_key!: string;

  @ResponseField.string({ description: 'The signature of the canonical JSON (RFC 8785) of `head`, in Base64.' })
  value!: string;
}

export class AuditHeadResponse {
  @ResponseField.object({
    description: '`month` and `size` identify it. `root` is the root of the tree (RFC 9162) in hex.',
  })
  head!: SignedHead['head'];

  @ResponseField.one(AuditHeadSignatureResponse)
  signature!: AuditHeadSignatureResponse;
}

export class AuditHeadListResponse {
  @ResponseField.list(AuditHeadResponse)
  heads!: AuditHeadResponse[];
}

export class InclusionProofResponse {
  @ResponseField.one(AuditHeadResponse)
  signed!: AuditHeadResponse;

  @ResponseField.integer({ description: 'The position of the entry in the tree; the first is 0.' })
  leaf_index!: number;

  @ResponseField.strings({ description: 'The hashes from the leaf to the root, in hex.' })
  path!: string[];
}

export class ConsistencyProofResponse {
  @ResponseField.one(AuditHeadResponse)
  first!: AuditHeadResponse;

  @ResponseField.one(AuditHeadResponse)
  second!: AuditHeadResponse;

  @ResponseField.strings({ description: 'The hashes of the proof, in hex.' })
  path!: string[];
}

const hex = (path: readonly Buffer[]): string[] => path.map((hash) => hash.toString('hex'));

export const presentHead = ({ head, signature }: SignedHead): AuditHeadResponse => ({ head, signature });

export const presentInclusion = ({ signed, leafIndex, path }: InclusionProof): InclusionProofResponse => ({
  signed: presentHead(signed),
  leaf_index: leafIndex,
  path: hex(path),
});

export const presentConsistency = ({ first, second, path }: ConsistencyProof): ConsistencyProofResponse => ({
  first: presentHead(first),
  second: presentHead(second),
  path: hex(path),
});

export const headExample: AuditHeadResponse = {
  head: {
    type: 'assay/audit-head/1',
    organization_id: 7,
    month: '2026-01',
    size: 1204,
    root: '9b1f5c0e0f5a5c1d8f3f9f0c2b7a6f4d1e2c3b4a5968778695a4b3c2d1e0f9a8',
    previous: null,
    evidence_keys: { size: 1, root: '4d1e2c3b4a5968778695a4b3c2d1e0f9a89b1f5c0e0f5a5c1d8f3f9f0c2b7a6f' },
    signed: '2026-01-31T12:00:00.000Z',
  },
  signature: {
    algorithm: 'Ed25519',
    key: '24eba27efbde870a',
    public_key: 'MCowBQYDK2VwAyEAJ2Yx+BfODdLlShd6uNkhl4AiEJMRu3qzyAqjLjsnfao=',
    value: 'bm90IGEgc2lnbmF0dXJlIGJ1dCBhbiBleGFtcGxlIG9mIG9uZSwgd2hpY2ggaGFzIDY0IGJ5dGVzIGluIEJhc2U2NA==',
  },
};
