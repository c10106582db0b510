import { WorkNotifier } from '../../src/platform/work/work-notifier';
import { WorkRepository } from '../../src/platform/work/work.repository';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { lockWorkOf } from '../support/row-locks';
import { OrderedTestWork } from '../support/ordered-test-work';

const api = useApi();
const make = new Factories(api);

let work: OrderedTestWork;
let workers: RunningWorker[];

beforeEach(() => {
  work = new OrderedTestWork();
  workers = [];
});

afterEach(async () => {
  for (const name of work.running) work.finish(name);
  await Promise.all(workers.map((worker) => worker.stop()));
});

/** A worker without sweeps in the time of a test, so that it claims work only after a notification. */
async function workerWith(slots: number, settings: Record<string, string> = {}): Promise<RunningWorker> {
  const worker = await startWorker({ WORKER_CONCURRENCY: String(slots), WORK_SWEEP_SECONDS: '60', ...settings });
  workers.push(worker);
  return worker;
}

const createOrganizations = async (count: number, integratorId?: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async () => (await make.organization({ integratorId })).id));

const createOrganization = async (integratorId?: number): Promise<number> =>
  (await make.organization({ integratorId })).id;

const expectStarted = (names: string): Promise<void> =>
  eventually(async () => expect(work.started.join(' ')).toBe(names));

describe('claims of work', () => {
  it('alternate between organizations, however much work one of them has queued', async () => {
    const [flooding = 0, other = 0, third = 0] = await createOrganizations(3);
    await work.add('flood', flooding, 6, 90);
    await work.add('other', other, 3, 60);
    await work.add('third', third, 1, 30);
    work.finishesAtOnce = true;
    work.registerWith(await workerWith(1));
    await expectStarted('flood other third flood other flood other flood flood flood');
  });

  it('alternate between integrators first, however many organizations one of them has', async () => {
    const { integratorId } = await make.integrator();
    const many = await createOrganizations(4, integratorId);
    for (const organization of many) await work.add('flood', organization, 2, 90);
    await work.add('other', await createOrganization(), 3, 60);
    work.finishesAtOnce = true;
    work.registerWith(await workerWith(1));
    await expectStarted('flood other flood other flood other flood flood flood flood flood');
  });

  it('alternate between the organizations of one integrator', async () => {
    const { integratorId } = await make.integrator();
    await work.add('flood', await createOrganization(integratorId), 4, 90);
    await work.add('other', await createOrganization(integratorId), 2, 60);
    work.finishesAtOnce = true;
    work.registerWith(await workerWith(1));
    await expectStarted('flood other flood other flood flood');
  });

  it('go to the organization with the fewest running pieces, whichever was queued first', async () => {
    const [flooding = 0, busy = 0, idle = 0] = await createOrganizations(3);
    await work.add('flood', flooding, 20, 90);
    await work.add('busy', busy, 2, 60);
    const worker = await workerWith(4);
    work.registerWith(worker);
    await eventually(async () => expect(work.started.toSorted()).toEqual(['busy', 'busy', 'flood', 'flood']));
    work.started.length = 0;
    await work.add('busy', busy, 5, 120);
    await work.add('idle', idle, 1, 0);
    work.finish('flood');
    await expectStarted('idle');
  });

  it('leave a slot that becomes free during a claim to a round that knows the latest work', async () => {
    const [flooding = 0, idle = 0] = await createOrganizations(2);
    await work.add('flood', flooding, 1, 90);
    const worker = await workerWith(2);
    work.registerWith(worker);
    await expectStarted('flood');
    await work.add('flood', flooding, 5, 60);
    await work.addWithoutOrganization('service', 1);
    const rows = worker.context.get(WorkRepository);
    const claim = rows.claim.bind(rows);
    jest.spyOn(rows, 'claim').mockImplementationOnce(async (picks, terms) => {
      await work.add('idle', idle);
      work.finish('flood');
      await eventually(async () => expect(await work.countFinished()).toBe(1));
      return claim(picks, terms);
    });
    worker.context.get(WorkNotifier).notify();
    await expectStarted('flood service idle');
  });

  it('go to the organization with the fewest running pieces on all workers', async () => {
    const [flooding = 0, other = 0] = await createOrganizations(2);
    await work.add('flood', flooding, 5, 90);
    work.registerWith(await workerWith(1));
    await expectStarted('flood');
    await work.add('other', other, 1, 30);
    work.registerWith(await workerWith(1));
    await expectStarted('flood other');
  });

  it('skip work whose rows are locked', async () => {
    const [locked = 0, other = 0] = await createOrganizations(2);
    await work.add('locked', locked, 3, 90);
    await work.add('other', other, 1, 30);
    const release = await lockWorkOf(locked);
    try {
      work.registerWith(await workerWith(1));
      await expectStarted('other');
    } finally {
      await release();
    }
  });
});

describe('the concurrency slots of a kind of work', () => {
  it('keep one free from an organization that uses all others', async () => {
    const [flooding = 0, other = 0] = await createOrganizations(2);
    await work.add('flood', flooding, 20, 90);
    const worker = await workerWith(4);
    work.registerWith(worker);
    await expectStarted('flood flood flood');
    await work.add('other', other, 2);
    worker.context.get(WorkNotifier).notify();
    await expectStarted('flood flood flood other');
    // When all slots are taken, the next free one goes to the organization with fewer running pieces.
    work.finish('flood');
    await expectStarted('flood flood flood other other');
  });

  it('keep one free for other integrators, and one for other organizations of the same integrator', async () => {
    const { integratorId } = await make.integrator();
    await work.add('flood', await createOrganization(integratorId), 20, 90);
    const worker = await workerWith(4);
    work.registerWith(worker);
    await expectStarted('flood flood');
    await work.add('related', await createOrganization(integratorId), 20, 60);
    worker.context.get(WorkNotifier).notify();
    await expectStarted('flood flood related');
    await work.add('other', await createOrganization(), 2, 30);
    worker.context.get(WorkNotifier).notify();
    await expectStarted('flood flood related other');
  });

  it('keep the last one free also from reclaimed work of the same organization', async () => {
    const [flooding = 0, other = 0] = await createOrganizations(2);
    await work.addWithExpiredLease('flood', flooding, 5);
    const worker = await workerWith(3);
    work.registerWith(worker);
    await expectStarted('flood flood');
    await work.add('other', other, 1);
    worker.context.get(WorkNotifier).notify();
    await expectStarted('flood flood other');
  });

  it('are all available to work without an organization', async () => {
    await work.addWithoutOrganization('service', 3);
    work.registerWith(await workerWith(2));
    await expectStarted('service service');
  });
});

describe('a kind of which an organization runs one piece at a time', () => {
  beforeEach(() => {
    work.isOnePerOrganization = true;
  });

  it('starts the next piece when the previous one has ended, and those of others meanwhile', async () => {
    const [slow = 0, other = 0] = await createOrganizations(2);
    await work.add('slow', slow, 2, 90);
    const workerOfSlow = await workerWith(4);
    work.registerWith(workerOfSlow);
    await expectStarted('slow');
    await work.add('other', other, 2, 30);
    const second = await workerWith(4);
    work.registerWith(second);
    await expectStarted('slow other');
    work.finish('slow');
    await expectStarted('slow other slow');
    work.finish('other');
    await expectStarted('slow other slow other');
  });

  it('has one piece claimed by twenty claims at once, and again when its worker was lost', async () => {
    await work.add('piece', await createOrganization(), 20, 60);
    const rows = (await workerWith(1)).context.get(WorkRepository);
    const terms = { leaseSeconds: 60, maxAttempts: 5, reclaimExpired: true, onePerOrganization: [work.kind] };
    const claimAtOnce = async () => {
      await rows.place([work.kind], terms);
      const [queue] = await rows.queues([{ kind: work.kind, after: null, size: 1, innerSize: 1 }]);
      if (queue === undefined) throw new Error('there is nothing to claim');
      const claims = await Promise.all(Array.from({ length: 20 }, () => rows.claim([{ queue, count: 1 }], terms)));
      return claims.flat().map(({ id, attempt }) => ({ id, attempt }));
    };
    const [first, ...more] = await claimAtOnce();
    expect([first?.attempt, more]).toEqual([1, []]);
    expect(await claimAtOnce()).toEqual([]);
    await query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE id = $1`, [first?.id]);
    expect(await claimAtOnce()).toEqual([{ id: first?.id, attempt: 2 }]);
  });
});

it('no kind of work uses the slots of another kind', async () => {
  const organization = await createOrganization();
  await work.add('flood', organization, 20, 90);
  const worker = await workerWith(2);
  work.registerWith(worker);
  await expectStarted('flood');
  const other = new OrderedTestWork();
  await other.add('retest', organization, 1);
  other.finishesAtOnce = true;
  other.registerWith(worker);
  await eventually(async () => expect(other.started).toEqual(['retest']));
  expect(work.started).toEqual(['flood']);
});

it('a worker refuses slots for an unknown kind of work and lists the known ones', async () => {
  await expect(workerWith(5, { WORKER_SLOTS: 'job=2,jobs=3' })).rejects.toThrow(
    /WORKER_SLOTS names unknown kinds of work: jobs. Known kinds: .*\bretest.run\b/,
  );
});
