import { isPortFree } from './port';
import { StartRefused } from '../postgres/start-refused';
import { parseUrl } from '../../kernel/parse-url';

/** The address of the demo target. */
export interface DemoTargetAddress {
  readonly port: number;
  /** In the format of `EGRESS_ALLOW`. */
  readonly endpoint: string;
  readonly url: string;
}

/** How many ports are tried, from the default one upwards. */
const portsToTry = 20;

/** Ephemeral ports begin here. One that is free now may be used at the next start. */
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
 * Prefers the port of the last start, so that the existing asset stays valid, then the ports after the API's. A port that the
 * user has set is used or refused.
 */
export async function chooseDemoTargetAddress(
  apiPort: number,
  configuredPort: number | undefined,
  lastUrl: string | null,
  /** Ports of applications that the user tests, which may start later. */
  portsOfOthers: readonly number[] = [],
): Promise<DemoTargetAddress> {
  if (configuredPort !== undefined) {
    if (await isPortFree(configuredPort, loopback)) return addressAt(configuredPort);
    throw new StartRefused(
      `Port ${configuredPort} (DEMO_TARGET_PORT) is used by another program. ` +
        `Choose another port, or start without the demo target: DEMO_TARGET=off npm start`,
    );
  }
  const first = apiPort + 100 + portsToTry <= firstEphemeral ? apiPort + 100 : 3100;
  const candidates = Array.from({ length: portsToTry }, (_, index) => first + index).filter(
    (port) => !portsOfOthers.includes(port),
  );
  for (const port of [...portOf(lastUrl), ...candidates]) {
    if (port !== apiPort && (await isPortFree(port, loopback))) return addressAt(port);
  }
  throw new StartRefused(
    `No port from ${first} to ${first + portsToTry - 1} is free for the demo target. ` +
      `Set DEMO_TARGET_PORT, or start without the demo target: DEMO_TARGET=off npm start`,
  );
}
