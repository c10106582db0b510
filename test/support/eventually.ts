const pauseMs = 25;

/** Repeats an assertion until it passes, and fails with its last error when the time is over. */
export async function eventually(assertion: () => Promise<void>, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
