import { DemoTarget } from './demo-target';
import type { AssayLinks } from './page';

/** Runs the demo target in a child process without access to the database and to secrets. */
async function serve(port: number, links: AssayLinks): Promise<void> {
  // The vulnerable server must not outlive its parent process.
  process.once('disconnect', () => process.exit());
  process.once('SIGTERM', () => process.exit());
  try {
    await new DemoTarget(links).listen(port);
    process.send?.({ type: 'ready' });
  } catch (error) {
    process.stderr.write(`The demo target cannot listen on port ${port}: ${String(error)}\n`);
    process.exit(1);
  }
}

const { DEMO_TARGET_PORT, DOCS_URL, PORTAL_URL } = process.env;
void serve(Number(DEMO_TARGET_PORT), { docs: DOCS_URL, portal: PORTAL_URL || undefined });
