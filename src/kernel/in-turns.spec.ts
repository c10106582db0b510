import { inTurns } from './in-turns';

it('gives all items, and a turn of the event loop after those that take long', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns < 1_000) setImmediate(count);
  };
  setImmediate(count);
  const given: number[] = [];
  for await (const item of inTurns([1, 2, 3, 4])) {
    given.push(item);
    for (const end = performance.now() + 20; performance.now() < end;);
  }
  expect(given).toEqual([1, 2, 3, 4]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('lets one long task go on in each turn of the event loop, however many there are', async () => {
  let inThisTurn = 0;
  let most = 0;
  let isOver = false;
  const count = (): void => {
    most = Math.max(most, inThisTurn);
    inThisTurn = 0;
    if (!isOver) setImmediate(count);
  };
  const work = async (): Promise<void> => {
    for await (const _item of inTurns([1, 2, 3, 4])) {
      inThisTurn += 1;
      for (const end = performance.now() + 12; performance.now() < end;);
    }
  };
  // All begin in the same turn.
  const all = Promise.all(Array.from({ length: 6 }, work));
  await new Promise(setImmediate);
  inThisTurn = 0;
  setImmediate(count);
  await all;
  isOver = true;
  expect(most).toBe(1);
});
