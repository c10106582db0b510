import { waitingOf } from './job-waiting';

const [created, runAt] = [new Date('2026-03-02T10:00:00Z'), new Date('2026-03-02T11:00:00Z')];
const due = { position: 1, runAt, isDue: true, isHeld: false, ownRunning: 0, othersRunning: 0, workersGone: null };

describe('the reason why a job waits', () => {
  it.each([
    [{}, 'a worker begins it within seconds'],
    [{ othersRunning: 3 }, 'waiting for a slot: the workers run those of other organizations'],
    [{ position: 2 }, 'waiting for a slot: 1 active job of the organization waits before it'],
    [{ position: 2, ownRunning: 2 }, 'waiting for a slot: 2 active jobs of the organization run'],
    [{ isDue: false, ownRunning: 2 }, 'an attempt has failed, and the next one is planned'],
    [{ ownRunning: 2, workersGone: { since: created } }, 'no worker has been running since 2026-03-02T10:00:00.000Z'],
    [{ workersGone: { since: null } }, 'no worker has run yet'],
    [{ isHeld: true, workersGone: { since: null } }, 'the organization is suspended'],
  ])('%# is the first that holds', (more, reason) => {
    expect(waitingOf({ ...due, ...more }, 'job.active', created).reason).toBe(reason);
  });

  it('comes with its beginning, and with its end where that is known', () => {
    expect(waitingOf(due, 'job', created)).toMatchObject({ since: runAt, until: null });
    expect(waitingOf({ ...due, isDue: false }, 'job', created)).toMatchObject({ since: created, until: runAt });
  });
});
