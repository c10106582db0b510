import { type FieldOptions, field, passes } from '../../../platform/http/fields';
import { isOwner, isOwnerFilter, OWNER_FILTER_PATTERN, OWNER_PATTERN } from '../domain/owner';

/** Of an asset. */
export const OwnerField = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes(isOwner)],
      sentence: 'must be user: or group: with an id, such as group:3',
      schema: { type: 'string', pattern: OWNER_PATTERN, maxLength: 16 },
    },
    options,
  );

/** Of a filter. */
export const OwnerFilterField = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes(isOwnerFilter)],
      sentence: 'must be me, none, or user: or group: with an id, such as group:3',
      schema: { type: 'string', pattern: OWNER_FILTER_PATTERN, maxLength: 16 },
    },
    options,
  );
