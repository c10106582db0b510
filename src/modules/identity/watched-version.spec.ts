import { WatchedVersion } from './watched-version';

const MAX_AGE = 3_000;

/** The answers of a database that a test controls, at a time that it sets. */
function watched() {
  const state = { now: 0, version: 'a', questions: 0, changes: 0, held: Promise.resolve() };
  const version = new WatchedVersion(
    async () => {
      state.questions++;
      const answer = state.version;
      await state.held;
      if (answer === 'away') throw new Error('The database is away.');
      return answer;
    },
    () => state.changes++,
    MAX_AGE,
    () => state.now,
  );
  return { state, version };
}

/** Lets a question that nobody waits for be answered. */
const settle = () => new Promise(setImmediate);

it('asks once for all who want to know, and not again while the answer is young', async () => {
  const { state, version } = watched();
  expect(await Promise.all([version.isCurrent(), version.isCurrent()])).toEqual([true, true]);
  state.now = MAX_AGE / 2 - 1;
  expect([await version.isCurrent(), state.questions]).toEqual([true, 1]);
});

it('asks again before the answer is too old, without delaying anybody', async () => {
  const { state, version } = watched();
  await version.isCurrent();
  state.now = MAX_AGE / 2;
  let answer = (): void => undefined;
  state.held = new Promise((resolve) => (answer = resolve));
  expect([await version.isCurrent(), state.questions]).toEqual([true, 2]);
  answer();
});

it('reports a change within the time', async () => {
  const { state, version } = watched();
  await version.isCurrent();
  const before = version.changes;
  state.version = 'b';
  state.now = MAX_AGE - 1;
  expect([await version.isCurrent(), version.changes - before]).toEqual([true, 0]);
  await settle();
  expect([version.changes - before, state.changes]).toEqual([1, 2]);
});

it('waits for the answer when the last one is too old', async () => {
  const { state, version } = watched();
  await version.isCurrent();
  state.version = 'b';
  state.now = MAX_AGE;
  expect([await version.isCurrent(), state.changes]).toEqual([true, 2]);
});

it.each(['away', 'slow'] as const)('is not current while the database is %s', async (how) => {
  const { state, version } = watched();
  await version.isCurrent();
  state.now = MAX_AGE;
  if (how === 'away') state.version = 'away';
  else state.held = Promise.resolve().then(() => void (state.now += MAX_AGE));
  expect(await version.isCurrent()).toBe(false);
  state.version = 'a';
  expect([await version.isCurrent(), state.changes]).toEqual([true, 1]);
});

it('is never current without a time', async () => {
  const asked = new WatchedVersion(
    async () => 'a',
    () => undefined,
    0,
  );
  expect(await asked.isCurrent()).toBe(false);
});
