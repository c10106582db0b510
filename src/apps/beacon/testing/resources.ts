const resources: (() => unknown)[] = [];

/** Closes what a test has started after it, the newest first. */
export const closeAfterTest = (close: () => unknown): void => void resources.unshift(close);

/** To be called by each file that starts something. */
export function useResources(): void {
  afterEach(async () => {
    for (const close of resources.splice(0)) await close();
  });
}

/** Those of the machine, also while a test has its own clock. */
const pause = setTimeout;

/** Waits until it is true, and fails after a minute. */
export async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!isTrue()) {
    if (performance.now() > giveUpAt) throw new Error('It did not become true.');
    await new Promise((resume) => pause(resume, 5));
  }
}
