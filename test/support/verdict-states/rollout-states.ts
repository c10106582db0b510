import { counting, shownIf, type WebState } from './web-state';

const atRandom = (chance: number) => (): boolean => Math.random() < chance;

/** Of every `period` requests about the weakness, one is answered by the old release. */
const everyRequest = (period: number, turn: number): WebState =>
  counting(`weak at one of ${period} requests about it, in turn`, (weakness) => {
    let count = 0;
    return (request) => weakness.concerns(request) && count++ % period === turn;
  });

/** The share of old servers changes with each request of a path that the weakness is about. */
const drift = (name: string, share: (count: number) => number): WebState =>
  counting(name, (weakness) => {
    const counts = new Map<string, number>();
    return (request) => {
      const count = (counts.get(request.path) ?? 0) + 1;
      counts.set(request.path, count);
      return weakness.concerns(request) && Math.random() < share(count);
    };
  });

/** Several servers, of which some still have the old release. */
export const ROLLOUT_STATES: readonly WebState[] = [
  everyRequest(2, 1),
  everyRequest(3, 0),
  everyRequest(5, 3),
  counting('weak at every third request of the site', () => {
    let count = 0;
    return () => count++ % 3 === 2;
  }),
  // The random requests in between make it one of four at random.
  counting(
    'weak at every fourth request of the site',
    () => {
      let count = 0;
      return () => count++ % 4 === 2;
    },
    { limit: 'fewServers' },
  ),
  counting(
    'weak on every third connection',
    () =>
      ({ connection }) =>
        connection % 3 === 1,
  ),
  // One that ends has ended when the test does, so that its weakness is fixed.
  drift('a rollout goes on while it is tested', (count) => Math.max(1 / 3, 0.5 - count * 0.01)),
  drift('a rollback begins while it is tested', (count) => Math.min(0.5, count * 0.035)),
  shownIf('one of two servers weak, at random', atRandom(1 / 2)),
  shownIf('two of five servers weak, at random', atRandom(2 / 5)),
  counting('weak again after twenty requests', () => {
    let count = 0;
    return () => ++count > 20;
  }),
  counting('weak for two thirds of the time, by the clock', () => {
    const began = Date.now();
    return () => (Date.now() - began) % 300 < 200;
  }),
  counting('weak in bursts of three requests about it', (weakness) => {
    let count = 0;
    return (request) => weakness.concerns(request) && count++ % 8 >= 5;
  }),
  shownIf('one of three servers weak, at random', atRandom(1 / 3), { limit: 'fewServers' }),
  shownIf('one of four servers weak, at random', atRandom(1 / 4), { limit: 'fewServers' }),
  shownIf('one of forty servers weak, in turn', ({ connection }) => connection % 40 === 39, { limit: 'fewServers' }),
  shownIf('weak by the address of the client', () => false, { limit: 'affinity' }),
  shownIf('fixed for the address of the tester alone', () => false, { limit: 'ownAddress' }),
];
