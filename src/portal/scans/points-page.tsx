import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { type PointOfJob, presentPoint } from '../../modules/jobs';
import { Pager } from '../frame/pager';
import { type Column, Table } from '../frame/table';
import { Time } from '../frame/time';
import { scanUrl } from '../urls';

interface PointsPageProps {
  readonly organizationId: number;
  readonly uuid: string;
  readonly slice: Slice<PointOfJob>;
  readonly page: Page;
  readonly url: string;
}

export const requestColumn: Column<{ readonly shown: { readonly method: string; readonly path: string } }> = {
  label: 'Request',
  class: 'main wide',
  cell: ({ shown }) => (
    <code dir="ltr">
      {shown.method} {shown.path}
    </code>
  ),
};

/** The insertion points of the site of an active scan. */
export const PointsPage = ({ organizationId, uuid, slice, page, url }: PointsPageProps): VNode => {
  const base = scanUrl(organizationId, uuid);
  return (
    <>
      <p>
        <a href={base}>The scan</a> · <a href={`${base}/points`}>All points</a> ·{' '}
        <a href={`${base}/points?tested=true`}>Tested by this scan</a> ·{' '}
        <a href={`${base}/points?tested=false`}>Left for the next scan</a>
      </p>
      {slice.items.length === 0 ? (
        <p class="muted">There are none.</p>
      ) : (
        <Table
          rows={slice.items.map((item) => ({ ...item, shown: presentPoint(item) }))}
          columns={[
            requestColumn,
            { label: 'Kind', class: 'nowrap', isNamed: true, cell: ({ shown }) => shown.kind },
            { label: 'Name', class: 'wide', dir: 'auto', isNamed: true, cell: ({ shown }) => shown.name },
            { label: 'This scan', class: 'nowrap', cell: ({ isTested }) => (isTested ? 'tested' : 'left') },
            {
              label: 'Last tested',
              class: 'nowrap muted',
              cell: ({ testedAt }) => (testedAt === null ? 'never' : <Time at={testedAt} />),
            },
          ]}
        />
      )}
      <Pager page={page} slice={slice} url={url} />
    </>
  );
};
