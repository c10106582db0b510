/** The pauses grow, so that a test that waits for long leaves the processor to what it waits for. */
const firstPauseMs = 25;
const longestPauseMs = 200;

/** Repeats an assertion until it passes, and fails with its last error when the time is over. Returns its result. */
export async function eventually<T>(assertion: () => Promise<T>, withinMs = 60_000): Promise<T> {
  const end = performance.now() + withinMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(1.5 * pauseMs, longestPauseMs)) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
