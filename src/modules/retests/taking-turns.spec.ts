import { openSession, type ViaSession } from '../../engine';
import { transportTo } from '../../engine/active/testing/injectable-shop';
import { MembersSite, MemoryBook } from '../../engine/testing/members-site';
import { CountedTurn, takingTurns } from './taking-turns';

let site: MembersSite;
const yielded: number[] = [];
const ended: string[] = [];
beforeEach(async () => {
  site = await MembersSite.start();
  yielded.length = 0;
  ended.length = 0;
});
afterEach(() => site.stop());

const via = { signal: new AbortController().signal };

async function open(): Promise<ViaSession> {
  const turn: CountedTurn = new CountedTurn({ yield: async () => yielded.push(turn.sent) > 0, end: async () => {} });
  const session = await openSession(site.account(), {
    transport: transportTo(site.port),
    via,
    book: new MemoryBook(),
    observer: { sent: () => void (turn.sent += 1), endsSession: ({ path }) => void ended.push(path) },
  });
  return takingTurns(session, turn);
}

const send =
  (count: number) =>
  async (session: ViaSession): Promise<void> => {
    const request = { scheme: 'http', host: '127.0.0.1', port: site.port } as const;
    for (let at = 0; at < count; at += 1)
      await transportTo(site.port).http({ ...request, path: `/item/${at}` }, { ...via, session });
  };

it('a test lets others go first after 50 requests, between two pieces of work', async () => {
  const session = await open();
  await session.proved(send(30));
  await session.proved(send(30));
  expect(yielded).toEqual([]);
  await session.proved(send(1));
  expect(yielded).toEqual([60]);
  await Promise.all([session.attempt(send(60)), session.attempt(send(1))]);
  expect(yielded).toEqual([60]);
});

it('passes the calls of a test on to its session', async () => {
  const session = await open();
  session.leaveOut?.({ method: 'GET', path: '/bye' });
  expect(ended).toEqual(['/bye']);
  const observe = jest.fn();
  session.sendThrough?.({ ...via, observe });
  await session.proved(send(1));
  // The check after it.
  expect(observe).toHaveBeenCalledWith(expect.objectContaining({ place: `${site.origin}/account` }));
});
