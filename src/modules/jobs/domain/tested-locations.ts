import type { Target } from '../../../engine';
import { formatUrlHost } from '../../../kernel/web-url';

/** The locations whose findings a job on a target tests: the pages of its origin, its service, its zone and its host. */
export interface TestedLocations {
  /** Ends with a slash: the locations of all pages start with it. */
  readonly origin: string;
  readonly exact: readonly string[];
  /** Written as in the value of an asset. */
  readonly host: string;
}

export function testedLocationsOf({ scheme, host, port }: Target): TestedLocations {
  const name = formatUrlHost(host);
  const origin = new URL(`${scheme}://${name}:${port}/`).href;
  return { origin, exact: [`tcp://${name}:${port}`, `dns://${name}`], host };
}
