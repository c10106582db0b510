import type { VNode } from 'preact';
import { Form, useRefusal } from '../frame/form';
import { countText, formatted } from '../frame/words';
import { selectColumn } from '../frame/select-column';
import { Table } from '../frame/table';
import { bulkUrl } from '../urls';
import { BulkBar } from './bulk-bar';
import { ALL } from './bulk.requests';
import { columnsOf } from './findings-columns';
import { groupValue } from './finding-groups';
import type { FindingOfList, FindingsPageProps } from './findings-page-props';

const rowClass = ({ group, isOfGroup }: FindingOfList): string | undefined =>
  group !== undefined ? 'group' : isOfGroup === true ? 'of-group' : undefined;

/** With a checkbox before each finding for those who may change them, all in one form. */
export function FindingsTable(props: FindingsPageProps): VNode {
  const { organizationId, query, page, slice, rows, mayChange, isCompact } = props;
  // The selection of a refused form.
  const selected = new Set([useRefusal(bulkUrl(organizationId))?.fields['finding']].flat());
  const shown = rows.reduce((sum, { group, isOfGroup }) => sum + (isOfGroup === true ? 0 : (group?.findings ?? 1)), 0);
  const kind = isCompact ? 'findings compact' : 'findings';
  if (!mayChange) return <Table class={kind} rows={rows} rowClass={rowClass} columns={columnsOf(props)} />;
  const selection = selectColumn<FindingOfList>({
    name: 'finding',
    all: 'Select all findings of this page',
    of: ({ id, title, group }) => {
      const value = group === undefined ? String(id) : groupValue(group.key);
      const label = group === undefined ? `#${id}` : `all ${formatted(group.findings)}`;
      return { value, isSelected: selected.has(value), label: `Select ${label}: ${title}`, count: group?.findings };
    },
  });
  return (
    <Form action={bulkUrl(organizationId)} class="bulk">
      {/* Return in a field would press the first button: this one does nothing. */}
      <button class="visually-hidden" disabled tabIndex={-1} aria-hidden="true" />
      <input type="hidden" name="query" value={query.text} />
      <Table class={kind} rows={rows} rowClass={rowClass} columns={[selection, ...columnsOf(props)]} />
      <BulkBar {...props}>
        {(slice.next !== undefined || page.page > 1 || slice.previous !== undefined) && (
          <div class="select-filter">
            <span class="of-page">All {formatted(shown)} on this page are selected. </span>
            <label>
              <input type="checkbox" name="finding" value={ALL} checked={selected.has(ALL)} /> Select all{' '}
              {slice.total !== undefined && countText(slice.total, slice.most)} of this filter
            </label>
          </div>
        )}
      </BulkBar>
    </Form>
  );
}
