const pauseMs = 25;

/** Asks again until it holds: for what another process or the worker does in its own time, with a bound on that time. */
export async function eventually(assertion: () => Promise<void>, withinMs = 10_000): Promise<void> {
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
