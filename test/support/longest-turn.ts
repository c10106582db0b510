import { readFileSync } from 'node:fs';

/** The processor time of this thread so far. Threads and processes beside it do not count, nor does the load of the machine. */
function threadMs(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  const [nanoseconds = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1_000_000;
}

/** The longest turn of the event loop during this work, in milliseconds of processor time. */
export async function longestTurnDuring(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = threadMs();
  const take = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  try {
    await work();
  } finally {
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
  }
  return longest;
}
