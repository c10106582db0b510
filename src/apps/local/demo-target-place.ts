import { isFree } from './port';
import { StartRefused } from './postgres/start-refused';
import { parseUrl } from '../../kernel/parse-url';

/** Where the demo target listens. */
export interface DemoTargetPlace {
  readonly port: number;
  /** As `EGRESS_ALLOW` names it. */
  readonly endpoint: string;
  readonly url: string;
}

/** How many ports are tried, from the usual one on. */
const tries = 20;

/** Ports from here on are given to whoever connects somewhere: what is free now may not be at the next start. */
const firstEphemeral = 32_768;

const address = '127.0.0.1';

const placeAt = (port: number): DemoTargetPlace => ({
  port,
  endpoint: `${address}:${port}`,
  url: new URL(`http://${address}:${port}/`).href,
});

function portOf(text: string | null): number[] {
  const url = text === null ? null : parseUrl(text);
  return url === null ? [] : [Number(url.port || 80)];
}

/**
 * Where it was at the last start, so that the asset of then is still the one; else beside the API. A port that the user
 * has named is that one or none.
 */
export async function placeDemoTarget(
  apiPort: number,
  wanted: number | undefined,
  lastUrl: string | null,
): Promise<DemoTargetPlace> {
  if (wanted !== undefined) {
    if (await isFree(wanted, address)) return placeAt(wanted);
    throw new StartRefused(
      `Port ${wanted}, which DEMO_TARGET_PORT names, is taken by another program. ` +
        `Choose another one, or leave the demo target out: DEMO_TARGET=off npm start`,
    );
  }
  const first = apiPort + 100 + tries <= firstEphemeral ? apiPort + 100 : 3100;
  const usual = Array.from({ length: tries }, (_, index) => first + index);
  for (const port of [...portOf(lastUrl), ...usual]) {
    if (port !== apiPort && (await isFree(port, address))) return placeAt(port);
  }
  throw new StartRefused(
    `No port from ${first} to ${first + tries - 1} is free for the demo target. ` +
      `Name one, or leave it out: DEMO_TARGET=off npm start`,
  );
}
