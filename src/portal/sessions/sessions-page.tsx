import type { VNode } from 'preact';
import { Form } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { Time } from '../frame/time';
import { Table } from '../frame/table';

interface SessionRow {
  readonly id: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly created: Date;
  readonly lastUsed: Date;
}

export const SessionsPage = ({ sessions, current }: { sessions: readonly SessionRow[]; current: number }): VNode => (
  <Settings current="sessions">
    <h2>Sessions</h2>
    <p>Browsers in which you are signed in. End a session that you do not recognize, and change your password.</p>
    <Table
      class="block-table"
      rows={sessions}
      columns={[
        { label: 'Browser', class: 'wide', cell: ({ userAgent }) => userAgent ?? 'unknown' },
        { label: 'Address', isNamed: true, cell: ({ ip }) => ip ?? 'unknown' },
        { label: 'Signed in', isNamed: true, cell: ({ created }) => <Time at={created} /> },
        { label: 'Last used', isNamed: true, cell: ({ lastUsed }) => <Time at={lastUsed} /> },
        {
          label: 'Action',
          isLabelHidden: true,
          cell: ({ id }) =>
            id === current ? (
              <span class="muted">this session</span>
            ) : (
              <Form action={`/settings/sessions/${id}/end`}>
                <button>End</button>
              </Form>
            ),
        },
      ]}
    />
    {sessions.length > 1 && (
      <Form action="/settings/sessions/end-others">
        <button>End all other sessions</button>
      </Form>
    )}
  </Settings>
);
