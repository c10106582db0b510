import { activityOf } from '../../../engine/check';
import type { Check, Target, Via } from '../../../engine';
import { ExchangeError, ExchangeFailed } from '../../../engine/transport/exchange';
import { type HostingState, PORTS_OF_SITES } from '../../assets/domain/hosting';

type Tested = Pick<Target, 'scheme' | 'host' | 'port'>;

/** What a launch knows of the host that it tests. */
export interface TestedHost {
  readonly target: Tested;
  readonly hosting: HostingState | null;
  readonly hostingNow: (via: Via) => Promise<HostingState | null>;
}

/** Nothing may be sent, because someone else runs the host. The message says what to do. */
export class HostedElsewhereError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'HostedElsewhereError';
  }
}

const REMEDY =
  'Until an admin confirms on the page of its asset that the host is yours, or that its operator permits more, only passive checks run there, on ports 80 and 443.';

/** The end of a sentence about the host. */
export const hostedAt = ({ by, target }: HostingState): string => `is hosted elsewhere, at ${target} (${by})`;

/** Why a port of the host must not be tested; null if it may be. Tests of a zone send nothing to the host. */
export const portRefusal = (hosting: HostingState | null, { scheme, host, port }: Tested) =>
  hosting?.isLimited === true && scheme !== 'dns' && !PORTS_OF_SITES.includes(port)
    ? `${host} ${hostedAt(hosting)}, and port ${port} is not one of a site. ${REMEDY}`
    : null;

/** Why no experiments may be sent to the host; null if they may. */
export const experimentsRefusal = (hosting: HostingState | null, { host }: { host: string }): string | null =>
  hosting?.isLimited === true ? `${host} ${hostedAt(hosting)}. ${REMEDY}` : null;

/** Why a check must not run on the host; null if it may. */
export function checkRefusal(hosting: HostingState | null, check: Check): string | null {
  const activity = activityOf(check);
  return activity === null || hosting?.isLimited !== true
    ? null
    : `the host ${hostedAt(hosting)}, and the check is not passive: it ${activity}. ${REMEDY}`;
}

/**
 * What limits a test that begins now. The DNS is asked only if the test has more than passive checks on the ports of a site:
 * for those, what the last observation saw is enough.
 */
export async function hostingLimit(
  launch: TestedHost,
  checks: readonly Check[],
  via: Via,
): Promise<HostingState | null> {
  const { target, hosting } = launch;
  const isPassive = checks.every((check) => activityOf(check) === null);
  if (isPassive && PORTS_OF_SITES.includes(target.port)) return hosting;
  const now = await hostingNow(launch, via);
  const refusal = portRefusal(now, target);
  if (refusal !== null) throw new HostedElsewhereError(refusal);
  return now;
}

/** The same for a test of one check, which must be allowed. A zone has records for names that need no address. */
export async function requireAllowedCheck(launch: TestedHost, check: Check, via: Via): Promise<void> {
  if (check.on === 'dns') return;
  const refusal = checkRefusal(await hostingLimit(launch, [check], via), check);
  if (refusal !== null) throw new HostedElsewhereError(`Nothing was sent: ${refusal}`);
}

async function hostingNow(launch: TestedHost, via: Via): Promise<HostingState | null> {
  try {
    return await launch.hostingNow(via);
  } catch (error) {
    if (!(error instanceof ExchangeError || error instanceof ExchangeFailed)) throw error;
    const { host } = launch.target;
    throw new HostedElsewhereError(
      `It is not known who runs ${host}: ${error.message}. Correct its records in the DNS.`,
    );
  }
}
