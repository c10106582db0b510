import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { presentWritten, type WrittenByJob } from '../../modules/jobs';
import { Pager } from '../frame/pager';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { scanUrl } from '../urls';

interface WrittenPageProps {
  readonly organizationId: number;
  readonly uuid: string;
  readonly slice: Slice<WrittenByJob>;
  readonly page: Page;
  readonly url: string;
}

/** What a scan has written to its target, and where it stands. */
export const WrittenPage = ({ organizationId, uuid, slice, page, url }: WrittenPageProps): VNode => (
  <>
    <p>
      <a href={scanUrl(organizationId, uuid)}>The scan</a> · Forms and operations that it submitted. Look for the mark
      to remove what is left. Only what the target named as created was deleted again.
    </p>
    {slice.items.length === 0 ? (
      <p class="muted">It has written nothing.</p>
    ) : (
      <Table
        rows={slice.items.map((item) => Object.assign({ at: item.updated }, presentWritten(item)))}
        columns={[
          {
            label: 'Request',
            class: 'wide',
            cell: ({ method, path }) => (
              <code dir="ltr">
                {method} {path}
              </code>
            ),
          },
          { label: 'Mark', class: 'nowrap', isNamed: true, cell: ({ mark }) => mark ?? 'none' },
          { label: 'Submissions', class: 'nowrap', isNamed: true, cell: ({ submissions }) => submissions },
          {
            label: 'Stands at',
            class: 'wide',
            isNamed: true,
            cell: ({ shown_at: shown, remaining }) => [...shown, ...remaining].join(', ') || 'unknown',
          },
          { label: 'Deleted', class: 'nowrap', isNamed: true, cell: ({ deleted }) => deleted },
          { label: 'Last', class: 'nowrap', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    )}
    <Pager page={page} slice={slice} url={url} />
  </>
);
