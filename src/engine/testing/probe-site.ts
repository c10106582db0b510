import { assess } from '../assess';
import { type Check, type Observation } from '../check';
import { Visit } from '../probe-session';
import { siteScene } from './target-states';
import { HOST, Stage } from './test-target';
import type { Site } from './target-server';

/** What a check sees of a site in one look, where a truth table of its own would say nothing more. */
export async function oneLook(check: Check, site: Site, path = '/'): Promise<Observation['state']> {
  const stage = await Stage.open();
  try {
    const transport = stage.transport(4_000, () => siteScene(site));
    const visit = new Visit(transport, { signal: new AbortController().signal });
    const target = { scheme: 'http', host: HOST, port: stage.server.port, path } as const;
    return (await assess(check, target, visit)).observation.state;
  } finally {
    await stage.close();
  }
}
