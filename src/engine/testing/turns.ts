/** How often others in this process get their turn while a piece of work is under way. */
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
