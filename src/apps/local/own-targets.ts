import { lookup } from 'node:dns/promises';
import { isInBlockRanges, isLoopbackAddress, isPublicAddress } from '../../kernel/address-ranges';
import { canonicalIp } from '../../kernel/cidr';
import { DomainError } from '../../kernel/domain-error';
import { hostOf, portOf, requireWebUrl } from '../../kernel/web-url';
import type { Listener } from '../../platform/config/own-listeners';
import { errorCode } from '../postgres/error-code';
import { StartRefused } from '../postgres/start-refused';

/** An application of the user that `--target` names. */
export interface OwnTarget {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

export interface ResolvedTarget extends OwnTarget {
  readonly addresses: readonly string[];
}

const EXAMPLE = 'Name the URL of your application, such as --target http://127.0.0.1:8080';

/** Reads the values of `--target`. Equal ones count once. */
export function parseOwnTargets(texts: readonly string[]): OwnTarget[] {
  const targets = texts.map(parseOwnTarget);
  return targets.filter(({ url }, at) => targets.findIndex((other) => other.url === url) === at);
}

function parseOwnTarget(text: string): OwnTarget {
  const url = webUrl(text);
  if (url.search !== '' || url.hash !== '')
    throw new StartRefused(`--target "${text}" has a query or a fragment. ${EXAMPLE}`);
  const host = hostOf(url);
  if (canonicalIp(host) === null) url.hostname = host;
  return { url: url.href.replaceAll("'", '%27'), host, port: portOf(url) };
}

function webUrl(text: string): URL {
  try {
    const url = requireWebUrl(text, '--target');
    if (hostOf(url) !== '' && url.port !== '0') return url;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartRefused(`--target "${text}" cannot be used: ${error.message} ${EXAMPLE}`);
  }
  throw new StartRefused(`--target "${text}" cannot be used: it has no host or no port. ${EXAMPLE}`);
}

/** Looks up the names as the operating system does. Refuses our own listeners, and what only its owner may test. */
export async function resolveOwnTargets(
  targets: readonly OwnTarget[],
  listeners: readonly Listener[],
): Promise<ResolvedTarget[]> {
  const resolved: ResolvedTarget[] = [];
  for (const target of targets) {
    const addresses = await addressesOf(target);
    for (const address of addresses) {
      await refuseOwnListener(target, address, listeners);
      refuseForeign(target, address);
    }
    resolved.push({ ...target, addresses });
  }
  return resolved;
}

async function addressesOf({ url, host }: OwnTarget): Promise<string[]> {
  const literal = canonicalIp(host);
  if (literal !== null) return [literal];
  try {
    const found = await lookup(host, { all: true, order: 'ipv4first' });
    return [...new Set(found.flatMap(({ address }) => canonicalIp(address) ?? []))];
  } catch (error) {
    throw new StartRefused(
      `--target ${url} cannot be used: this machine finds no address for ${host} (${errorCode(error) ?? 'unknown error'}). ` +
        `Correct the name, or add it to the hosts file of this machine.`,
    );
  }
}

async function refuseOwnListener(
  { url, port }: OwnTarget,
  address: string,
  listeners: readonly Listener[],
): Promise<void> {
  // Imported late: the engine is not needed without targets, and takes a while to load.
  const { Egress } = await import('../../engine/index.js');
  for (const listener of listeners) {
    if (!(await new Egress({ ownListeners: [listener] }).isOwn(address, port))) continue;
    throw new StartRefused(
      `--target ${url} cannot be used: it is ${listener.name} of Assay itself. ` +
        'Name another application, or start Assay with another PORT if that application needs this port.',
    );
  }
}

function refuseForeign({ url, host }: OwnTarget, address: string): void {
  if (isPublicAddress(address)) {
    throw new StartRefused(
      `--target ${url} cannot be used: ${host} has the public address ${address}, and a target on the internet needs a ` +
        `verified domain. Add the domain and publish its TXT record: docs/targets.md`,
    );
  }
  if (isLoopbackAddress(address) || isInBlockRanges(address)) return;
  throw new StartRefused(
    `--target ${url} cannot be used: ${address} is not an address of this machine or of a private network. ${EXAMPLE}`,
  );
}
