import { type KeyScope, KEY_SCOPES } from '../../../platform/api/caller';
import { type FieldOptions, Id, Instant, Integer, ListOf, Name } from '../../../platform/http/fields';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../../../kernel/overlap';

export const KeyScopes = (description: string, options: FieldOptions = {}): PropertyDecorator =>
  ListOf(
    {
      check: (item) => (KEY_SCOPES as readonly unknown[]).includes(item),
      sentence: `is one of: ${KEY_SCOPES.join(', ')}`,
      items: { type: 'string', enum: [...KEY_SCOPES] },
      unique: true,
    },
    1,
    KEY_SCOPES.length,
    { ...options, description },
  );

export class CreateApiKeyRequest {
  @Name(200, { description: 'The purpose of the key.' })
  label!: string;

  @KeyScopes('`read`: every GET. `write`: all that the role of the user allows. `ci`: what a pipeline needs.')
  scopes!: KeyScope[];

  @Id({
    nullable: true,
    description:
      'Limits the key to one organization. By default the key opens those that the key of this request opens now; joining another never widens it.',
  })
  organization_id?: number | null;

  @Instant(
    {
      nullable: true,
      description:
        'The end of the key. A bare date includes its whole day. By default, and at the latest, the end of the key of this request.',
    },
    'upper',
  )
  expires?: Date | null;
}

export class NarrowApiKeyRequest {
  @KeyScopes('The scopes that the key keeps. `write` includes the others.')
  scopes!: KeyScope[];
}

export class RotateApiKeyRequest {
  @Integer(0, MAX_OVERLAP_HOURS, {
    optional: true,
    description: 'For how many hours the old secret stays valid.',
    default: DEFAULT_OVERLAP_HOURS,
  })
  overlap_hours?: number;
}
