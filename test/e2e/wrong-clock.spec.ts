import { DatabaseClock } from '../../src/platform/database/database-clock';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const HOUR = 3_600_000;

const api = useApi();
const make = new Factories(api);

const ready = async (): Promise<{ status: string; description?: string }> =>
  (await (await fetch(`${api.url}/readyz`)).json()) as { status: string; description?: string };

describe('a process whose clock is an hour ahead of that of the database', () => {
  it('is ready and says so, and writes the time of the database', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    expect(await ready()).toEqual({ status: 'ready' });
    const now = Date.now.bind(Date);
    const clock = api.app.get(DatabaseClock);
    const wrong = jest.spyOn(Date, 'now').mockImplementation(() => now() + HOUR);
    try {
      // Before the database is asked again, the monotonic clock knows it.
      expect(Math.abs(clock.differenceMs - HOUR)).toBeLessThan(60_000);
      expect(await ready()).toMatchObject({
        status: 'ready',
        description: expect.stringMatching(
          /^The clock of this process is 3\d\d\d seconds ahead of that of the database/,
        ),
      });
      expect(clock.reportedDifferenceMs).not.toBeNull();
      const { id } = await make.finding(tenant.id);
      expect((await client.post(`/v1/findings/${id}/status`, { status: 5 })).status).toBe(200);
    } finally {
      wrong.mockRestore();
    }
    const [{ off } = { off: null }] = await query<{ off: number }>(
      `SELECT max(abs(extract(epoch FROM now() - "timestamp")))::float8 AS off FROM audit_logs WHERE organization_id = $1`,
      [tenant.id],
    );
    expect(off).toBeLessThan(600);
    expect(clock.reportedDifferenceMs).toBeNull();
  });
});
