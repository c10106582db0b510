import type { ChosenPorts } from '../../../engine';
import { COMMON_PORTS, isSilentPort, mayAskPage, PORTS_OF_NAMES, portsToTry } from '../../../engine/observation/ports';
import { type Hosting, type HostingDecisions, isLimitedByHosting, PORTS_OF_SITES } from '../../assets/domain/hosting';

/** What decides which ports of an asset are tried. */
export interface PortTerms {
  readonly isBehindBeacon: boolean;
  /** The ports that an admin chose besides the usual ones. */
  readonly chosen: ChosenPorts | null;
  /** The ports that the operator allows; null if the asset is the organization's own, by its domain or beacon. */
  readonly allowed: readonly number[] | null;
  /** The port of a URL. */
  readonly urlPort: number | null;
  /** What an admin has confirmed on the assets of its host. */
  readonly decided: readonly HostingDecisions[];
}

/** The ports that an observation tries, in its order. */
export function observablePorts(hosting: Hosting | null, terms: PortTerms): readonly number[] {
  const { allowed, urlPort, decided } = terms;
  const wanted = wantedPorts(terms);
  const isUsual = urlPort === null || wanted.includes(urlPort) || !mayAskPage(urlPort);
  const ports = isUsual ? wanted : [urlPort, ...wanted];
  const permitted = allowed === null ? ports : ports.filter((port) => allowed.includes(port));
  return isLimitedByHosting(hosting, decided) ? permitted.filter((port) => PORTS_OF_SITES.includes(port)) : permitted;
}

/** The usual ports, and those that an admin added. */
function wantedPorts({ isBehindBeacon, chosen, allowed }: PortTerms): readonly number[] {
  // Without a beacon, `all` is what the operator allows.
  if (chosen === 'all' && isBehindBeacon) return portsToTry(chosen);
  const usual = isBehindBeacon ? COMMON_PORTS : (allowed?.filter((port) => !isSilentPort(port)) ?? PORTS_OF_NAMES);
  return chosen === null || chosen === 'all' ? usual : portsToTry([...new Set([...usual, ...chosen])]);
}
