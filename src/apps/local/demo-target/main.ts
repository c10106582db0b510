import { DemoTarget } from './demo-target';

/** Runs the demo target in a child process without access to the database and to secrets. */
async function serve(port: number): Promise<void> {
  // The vulnerable server must not outlive its parent process.
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
