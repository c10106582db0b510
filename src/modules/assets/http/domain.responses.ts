import { Acknowledgement, created } from '../../../platform/http/acknowledgement';
import { ResponseField } from '../../../platform/api/response-field';
import type { Domain } from '../data/domain.entity';
import { verificationTxtRecord } from '../domain/domain-proof';

export class DomainResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  value!: string;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.boolean()
  verified!: boolean;

  @ResponseField.string({ nullable: true })
  verification_token!: string | null;

  @ResponseField.string({
    nullable: true,
    description:
      'Publish this as a TXT record at `_assay-challenge.<domain>` or at the domain itself, and do not remove it.',
  })
  verification_txt_record!: string | null;

  @ResponseField.string({ nullable: true, description: 'The result of the last lookup; null before the first.' })
  verification_result!: string | null;

  @ResponseField.instant({ nullable: true })
  last_checked!: string | null;
}

export class DomainListResponse {
  @ResponseField.list(DomainResponse)
  domains!: DomainResponse[];
}

export const presentDomain = (domain: Domain): DomainResponse => ({
  id: domain.id,
  value: domain.value,
  organization_id: domain.organizationId,
  verified: domain.verified,
  verification_token: domain.verificationToken,
  verification_txt_record: verificationTxtRecord(domain.verificationToken),
  verification_result: domain.lastResult,
  last_checked: domain.lastLookup?.toISOString() ?? null,
});

/** Also has the organization id for the Location header, which is not part of the body. */
export class CreatedDomain extends Acknowledgement {
  readonly #organizationId: number;

  constructor(id: number, organizationId: number) {
    super();
    Object.assign(this, created('Domain', id));
    this.#organizationId = organizationId;
  }

  get path(): string {
    return `/v1/organizations/${this.#organizationId}/domains/${this.id}`;
  }
}

export const domainExample: DomainResponse = {
  id: 9,
  value: 'example.com',
  organization_id: 7,
  verified: false,
  verification_token: '0123456789abcdef0123456789abcdef',
  verification_txt_record: 'assay-verification=0123456789abcdef0123456789abcdef',
  verification_result: '_assay-challenge.example.com has no TXT record. example.com has no TXT record.',
  last_checked: '2026-01-31T12:00:00.000Z',
};
