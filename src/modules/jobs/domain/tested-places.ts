import type { Target } from '../../../engine';
import { inUrl } from '../../../kernel/web-url';

/** Where the findings are that a job on a target answers for: the pages of its origin, its service, its zone and its host. */
export interface TestedLocations {
  /** With a slash at its end: the locations of pages begin with it. */
  readonly origin: string;
  readonly exact: readonly string[];
  /** As the value of an asset has it. */
  readonly host: string;
}

export function placesOf({ scheme, host, port }: Target): TestedLocations {
  const name = inUrl(host);
  const origin = new URL(`${scheme}://${name}:${port}/`).href;
  return { origin, exact: [`tcp://${name}:${port}`, `dns://${name}`], host };
}
