import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Table } from '../frame/table';
import type { ScanView } from './scan-reader';

/** As whom it has tested, and whether that was proved. */
export function ScanLanes({ view: { lanes } }: { view: ScanView }): VNode | null {
  if (lanes.length === 0) return null;
  return (
    <Card id="lanes" title="Accounts">
      <Table
        rows={lanes}
        columns={[
          {
            label: 'Tested as',
            class: 'main',
            dir: 'auto',
            cell: ({ account }) => account?.name ?? 'Without a session',
          },
          {
            label: 'Session',
            class: 'wide',
            cell: ({ account, isProved, reason }) =>
              account === null ? (
                <span class="muted">none</span>
              ) : isProved ? (
                'Proved'
              ) : (
                <strong>Not proved: {reason}</strong>
              ),
          },
          { label: 'Requests', class: 'nowrap', isNamed: true, cell: ({ requests }) => requests.toLocaleString('en') },
          {
            label: 'Points',
            class: 'nowrap',
            isNamed: true,
            cell: ({ found }) => found?.tested.toLocaleString('en') ?? '',
          },
        ]}
      />
    </Card>
  );
}
