/** The number of turns that the event loop gives to other work while this work runs. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  await work().finally(() => {
    isOver = true;
  });
  return turns;
}
