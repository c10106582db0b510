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
