import { Controller } from '@nestjs/common';
import { Operation } from '../../../platform/http/operation';
import { SigningKeysService } from '../signing-keys.service';
import { EvidenceKeyListResponse, evidenceKeyExample, presentEvidenceKey } from './evidence-key.responses';

@Controller()
export class EvidenceKeysController {
  constructor(private readonly keys: SigningKeysService) {}

  @Operation('GET /v1/evidence-keys', {
    id: 'listEvidenceKeys',
    tag: 'Findings',
    summary: 'List the public keys that the evidence of retests is signed with',
    description: 'With these keys `npm run cli -- verify-evidence FILE --keys FILE` verifies evidence offline.',
    role: 'any',
    success: {
      description: 'All keys including retired ones, newest first.',
      body: EvidenceKeyListResponse,
      example: { keys: [evidenceKeyExample] },
    },
  })
  async list(): Promise<EvidenceKeyListResponse> {
    return { keys: (await this.keys.list()).map(presentEvidenceKey) };
  }
}
