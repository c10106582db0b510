import { DemoTarget } from './demo-target';

/** The demo target in a process of its own, which gets nothing of the service: no database, no secrets. */
async function serve(port: number): Promise<void> {
  // A parent that is gone must not leave a weak server behind.
  process.once('disconnect', () => process.exit());
  process.once('SIGTERM', () => process.exit());
  try {
    await new DemoTarget().listen(port);
    process.send?.({ type: 'ready' });
  } catch (error) {
    process.stderr.write(`The demo target cannot listen on port ${port}: ${String(error)}\n`);
    process.exit(1);
  }
}

void serve(Number(process.env['DEMO_TARGET_PORT']));
