import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { type Import, refusalsNotStored, type RowResult, type ShownResult } from '../../modules/imports';
import { Card } from '../frame/card';
import { Form } from '../frame/form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { formatted, labelOf, pluralize } from '../frame/words';
import { Table } from '../frame/table';
import { findingUrl, importUrl } from '../urls';
import type { ImportView } from './import-reader';
import { countsOf, MEANINGS, reasonInPortal } from './import-results';

export interface ImportPageProps {
  readonly view: ImportView;
  readonly result: RowResult | undefined;
  readonly page: Page;
  readonly url: string;
}

export const urlOf = ({ organizationId, one: { id } }: ImportView): string => importUrl(organizationId, id);

/** What became of each row of the file. */
export function Rows({ view, result, page, url }: ImportPageProps): VNode {
  const { one, rows } = view;
  const counts = countsOf(one);
  const shown = counts.filter(([name, count]) => count > 0 || name === result);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card id="rows" title="Rows">
      <nav class="tabs" aria-label="Results">
        <ResultTab view={view} label="All" count={all} isCurrent={result === undefined} />
        {shown.map(([name, count]) => (
          <ResultTab key={name} view={view} label={labelOf(name)} {...{ name, count }} isCurrent={result === name} />
        ))}
      </nav>
      {result !== undefined && <p class="muted">{MEANINGS[result]}</p>}
      <NotStored one={one} result={result} />
      {one.ignoredColumns.length > 0 && (
        <p class="muted" dir="auto">
          Nothing was read from these columns: {one.ignoredColumns.join(', ')}.
        </p>
      )}
      {result === 'missing' && view.mayImport && rows.items.length > 0 && (
        <Form action={`${urlOf(view)}/retest-missing`}>
          <button>Retest the missing findings</button>
        </Form>
      )}
      {rows.items.length === 0 ? (
        one.rowsRemoved === null && (
          <p class="muted">
            {result !== undefined
              ? 'No row has this result.'
              : one.status === 'FINISHED'
                ? 'The file has no results.'
                : 'No row was read.'}
          </p>
        )
      ) : (
        <RowsTable view={view} />
      )}
      <Pager page={page} slice={rows} url={url} />
    </Card>
  );
}

/** Why there are fewer rows than the numbers say. */
function NotStored({ one, result }: { one: Import; result: RowResult | undefined }): VNode | null {
  if (one.rowsRemoved !== null)
    return (
      <p class="muted">
        The rows were removed <Time at={one.rowsRemoved} /> to make room for those of newer imports. The numbers stay.
      </p>
    );
  const notStored = refusalsNotStored(one);
  if (notStored === 0 || (result !== undefined && result !== 'refused')) return null;
  return <p class="muted">{pluralize(notStored, 'more refused row')} of the file: counted, but not listed.</p>;
}

interface ResultTabProps {
  readonly view: ImportView;
  readonly label: string;
  readonly name?: RowResult;
  readonly count: number;
  readonly isCurrent: boolean;
}

const ResultTab = ({ view, label, name, count, isCurrent }: ResultTabProps): VNode => (
  <a href={urlOf(view) + (name === undefined ? '' : `?result=${name}`)} aria-current={isCurrent ? 'page' : undefined}>
    {label} <span class="muted">{formatted(count)}</span>
  </a>
);

const RowsTable = ({ view }: { view: ImportView }): VNode => (
  <Table
    rows={view.rows.items}
    columns={[
      { label: 'Line', class: 'nowrap', isNamed: true, cell: ({ line }) => line ?? '–' },
      { label: 'Result', class: 'nowrap', cell: ({ result }) => labelOf(result) },
      {
        label: 'Finding',
        class: 'main wide',
        cell: (row) => <RowFinding organizationId={view.organizationId} row={row} />,
      },
      { label: 'Asset', class: 'of-host', dir: 'auto', cell: ({ assetValue }) => assetValue },
    ]}
  />
);

/** The title, and why it was refused. */
const RowFinding = ({
  organizationId,
  row: { findingId, title, reason },
}: {
  organizationId: number;
  row: ShownResult;
}): VNode => (
  <>
    {findingId !== null ? (
      <a href={findingUrl(organizationId, findingId)} dir="auto">
        {title ?? `Finding ${findingId}`}
      </a>
    ) : (
      title !== null && <span dir="auto">{title}</span>
    )}
    {reason !== null && (
      <div class="muted" dir="auto">
        {reasonInPortal(reason)}
      </div>
    )}
  </>
);
