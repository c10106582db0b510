import { ListOf, TextWithRule } from '../../../platform/http/fields';
import { pathParameter } from '../../../platform/http/path-parameter';
import { isAccessKey, MAX_KEYS, MAX_NAME_LENGTH, requireReferenceName } from '../domain/job-reference';

/** The name of a reference in a path parameter. Other texts are made short and printable, and no reference has them. */
export const PathReference = pathParameter(
  (text = '') => text.slice(0, MAX_NAME_LENGTH + 1).replace(/[^\x21-\x7e]/g, '?'),
  {
    type: 'string',
    maxLength: MAX_NAME_LENGTH,
  },
);

export const ReferenceName = (description: string): PropertyDecorator =>
  TextWithRule(requireReferenceName, { minLength: 1, maxLength: MAX_NAME_LENGTH }, { description });

export class SaveReferenceRequest {
  @ListOf(
    {
      check: isAccessKey,
      sentence: 'is an access key, such as ak_…, without its secret',
      items: { type: 'string', minLength: 4, maxLength: 103 },
      unique: true,
    },
    0,
    MAX_KEYS,
    { description: 'The API keys, without their secrets, that may record jobs. Not those of pull requests.' },
  )
  access_keys!: string[];
}

export class RecordReferenceRequest {
  @ReferenceName('The name of a reference of the asset of the job.')
  reference!: string;
}
