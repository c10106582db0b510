import { isPortFree } from './port';
import { StartRefused } from './postgres/start-refused';
import { parseUrl } from '../../kernel/parse-url';

/** Where the demo target listens. */
export interface DemoTargetAddress {
  readonly port: number;
  /** As `EGRESS_ALLOW` names it. */
  readonly endpoint: string;
  readonly url: string;
}

/** How many ports are tried, from the usual one on. */
const portsToTry = 20;

/** Ports from here on are given to whoever connects somewhere: what is free now may not be at the next start. */
const firstEphemeral = 32_768;

const loopback = '127.0.0.1';

const addressAt = (port: number): DemoTargetAddress => ({
  port,
  endpoint: `${loopback}:${port}`,
  url: new URL(`http://${loopback}:${port}/`).href,
});

function portOf(text: string | null): number[] {
  const url = text === null ? null : parseUrl(text);
  return url === null ? [] : [Number(url.port || 80)];
}

/**
 * Where it was at the last start, so that the asset of then is still the one; else beside the API. A port that the user
 * has named is that one or none.
 */
export async function chooseDemoTargetAddress(
  apiPort: number,
  configuredPort: number | undefined,
  lastUrl: string | null,
): Promise<DemoTargetAddress> {
  if (configuredPort !== undefined) {
    if (await isPortFree(configuredPort, loopback)) return addressAt(configuredPort);
    throw new StartRefused(
      `Port ${configuredPort}, which DEMO_TARGET_PORT names, is taken by another program. ` +
        `Choose another one, or leave the demo target out: DEMO_TARGET=off npm start`,
    );
  }
  const first = apiPort + 100 + portsToTry <= firstEphemeral ? apiPort + 100 : 3100;
  const candidates = Array.from({ length: portsToTry }, (_, index) => first + index);
  for (const port of [...portOf(lastUrl), ...candidates]) {
    if (port !== apiPort && (await isPortFree(port, loopback))) return addressAt(port);
  }
  throw new StartRefused(
    `No port from ${first} to ${first + portsToTry - 1} is free for the demo target. ` +
      `Name one, or leave it out: DEMO_TARGET=off npm start`,
  );
}
