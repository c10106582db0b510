import type { RecordIds } from './records';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
}

/** A parameter as the OpenAPI document has it. */
export interface DocumentedParameter {
  readonly in?: string;
  readonly name?: string;
  readonly schema?: Schema;
}

/** Which page it is, and what makes a response wait or fail. */
const NO_FILTERS = new Set(['page', 'per_page', 'after', 'before', 'limit', 'wait', 'fail']);

const valuesByName = ({ asset_id, finding_id, import_id, user_id, group_id, organization_id }: RecordIds) =>
  new Map<string, readonly (number | string)[]>([
    ['asset_id', [asset_id]],
    ['organization_id', [organization_id]],
    ['merged_into', [finding_id]],
    ['import', [import_id]],
    ['assignee', ['me', 'none', user_id]],
    ['owner', ['me', 'none', `user:${user_id}`, `group:${group_id}`]],
    ['q', ['example', 'example com', 'e', '7']],
    ['label', ['label-1']],
    ['check', ['no-https-redirect']],
    ['tag', ['http']],
    ['operation', ['finding.create']],
  ]);

function valuesOf({ type, format, enum: words, minimum = 1 }: Schema): readonly unknown[] {
  if (words !== undefined) return words;
  if (type === 'boolean') return [true, false];
  if (type === 'integer' || type === 'number') return [minimum];
  if (format === 'date') return ['2030-01-01'];
  return format === 'date-time' ? ['2026-01-01T00:00:00Z', '2030-01-01T00:00:00Z'] : ['a'];
}

/** Of a list: each filter and order by itself, with each of its words or a usual value, and its last page. */
export function listQueries(
  parameters: readonly DocumentedParameter[],
  records: RecordIds,
  lastPage: number,
): string[] {
  const asked = parameters.filter(({ in: place }) => place === 'query');
  const known = valuesByName(records);
  const isPaged = asked.some(({ name }) => name === 'per_page');
  const filters = asked.flatMap(({ name = '', schema = {} }) =>
    NO_FILTERS.has(name) ? [] : (known.get(name) ?? valuesOf(schema)).map((value) => ({ [name]: String(value) })),
  );
  const pages = isPaged ? [{ page: String(lastPage) }] : [];
  return [{}, ...pages, ...filters].map((filter) =>
    new URLSearchParams({ ...(isPaged && { per_page: '100' }), ...filter }).toString(),
  );
}
