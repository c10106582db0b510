/** Processes all items, also after failures, and throws one error for all failures at the end. */
export async function runEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  throw new AggregateError(
    failures,
    `${failures.length} of ${items.length} failed, the first with ${String(failures[0])}`,
  );
}
