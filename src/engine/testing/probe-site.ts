import { assess } from '../assess';
import { type Check, type Observation } from '../check';
import { ProbeSession } from '../probe-session';
import { siteSetup } from './target-states';
import { HOST, TestTarget } from './test-target';
import type { Site } from './target-server';

/** The result of one probe of a site, for cases that do not need a truth table. */
export async function probeSite(check: Check, site: Site, path = '/'): Promise<Observation['state']> {
  const testTarget = await TestTarget.open();
  try {
    const transport = testTarget.transport(4_000, () => siteSetup(site));
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    const target = { scheme: 'http', host: HOST, port: testTarget.server.port, path } as const;
    return (await assess(check, target, session)).observation.state;
  } finally {
    await testTarget.close();
  }
}
