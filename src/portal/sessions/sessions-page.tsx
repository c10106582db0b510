import type { VNode } from 'preact';
import { Form } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { Time } from '../frame/time';

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
    <table class="block-table">
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">Address</th>
          <th scope="col">Signed in</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="visually-hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, ip, userAgent, created, lastUsed }) => (
          <tr key={id}>
            <td class="wide">{userAgent ?? 'unknown'}</td>
            <td data-label="Address">{ip ?? 'unknown'}</td>
            <td data-label="Signed in">
              <Time at={created} />
            </td>
            <td data-label="Last used">
              <Time at={lastUsed} />
            </td>
            <td>
              {id === current ? (
                <span class="muted">this session</span>
              ) : (
                <Form action={`/settings/sessions/${id}/end`}>
                  <button>End</button>
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {sessions.length > 1 && (
      <Form action="/settings/sessions/end-others">
        <button>End all other sessions</button>
      </Form>
    )}
  </Settings>
);
