import { ResponseField } from '../../../platform/api/response-field';
import type { KeyScope } from '../../../platform/api/caller';
import type { KeyOfUser } from '../data/keys.repository';

export class ApiKeyResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string({ description: 'The user name of HTTP Basic authentication.' })
  access_key!: string;

  @ResponseField.string()
  label!: string;

  @ResponseField.strings()
  scopes!: string[];

  @ResponseField.strings({
    nullable: true,
    description:
      'The fewest scopes that allow all that the key did in the last 90 days; null if it was not used, or needs all its scopes.',
  })
  suggested_scopes!: string[] | null;

  @ResponseField.integer({ nullable: true, description: 'The organization that the key is limited to.' })
  organization_id!: number | null;

  @ResponseField.integers({
    nullable: true,
    description:
      'The organizations that the key opens: those that its user was in when it was created, and is still in. Null for a key of an integrator without a limit, which opens all of the integrator.',
  })
  organization_ids!: number[] | null;

  @ResponseField.instant()
  created!: string;

  @ResponseField.string({
    nullable: true,
    description: 'The access key of the key that created this one, which is revoked with it.',
  })
  created_by!: string | null;

  @ResponseField.instant({ nullable: true })
  last_used!: string | null;

  @ResponseField.instant({ nullable: true })
  expires!: string | null;

  @ResponseField.instant({ nullable: true })
  revoked!: string | null;

  @ResponseField.instant({
    nullable: true,
    description: 'Until when the secret before the last rotation is valid, or was valid.',
  })
  previous_secret_expires!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'The password. Shown only once, in the response to the creation or rotation; null afterwards.',
  })
  secret!: string | null;
}

export class ApiKeyListResponse {
  @ResponseField.list(ApiKeyResponse)
  api_keys!: ApiKeyResponse[];
}

export const apiKeyExample = {
  id: 8,
  access_key: 'ak_0JxVREotq87RBjcFFPvN',
  label: 'Pipeline of the shop',
  scopes: ['ci'],
  suggested_scopes: null,
  organization_id: 7,
  organization_ids: [7],
  created: '2026-01-31T12:00:00.000Z',
  created_by: 'ak_3fvKGnKcP2zj9GPjmEiT',
  last_used: null,
  expires: '2026-04-30T23:59:59.999Z',
  revoked: null,
  previous_secret_expires: null,
  secret: null,
};

export const presentApiKey = (
  key: KeyOfUser,
  suggestedScopes: readonly KeyScope[] | undefined,
  secret: string | null = null,
): ApiKeyResponse => ({
  id: key.id,
  access_key: key.accessKey,
  label: key.label,
  scopes: key.scopes,
  suggested_scopes: suggestedScopes === undefined ? null : [...suggestedScopes],
  organization_id: key.organizationId,
  organization_ids: key.organizationIds === null ? null : [...key.organizationIds],
  created: key.created.toISOString(),
  created_by: key.createdBy,
  last_used: key.lastUsed?.toISOString() ?? null,
  expires: key.expires?.toISOString() ?? null,
  revoked: key.revoked?.toISOString() ?? null,
  previous_secret_expires: key.previousSecretUntil?.toISOString() ?? null,
  secret,
});
