import type { HostSeen, PortSeen } from '../../../engine';
import { type Change, type ChangeKind, type KnownPort, MISSES_UNTIL_GONE } from './asset-change';
import { certificateChanges } from './certificate-changes';
import { technologiesAfter } from './technology-changes';

export interface PortLook {
  /** The ports of the last look at this host; empty if this is the first. */
  readonly watchedBefore: ReadonlySet<number>;
  readonly watchedNow: ReadonlySet<number>;
  readonly at: Date;
}

/** A change of a port without its address, which the host adds. */
export type PortChange = Omit<Change, 'address'>;

interface PortDifferences {
  readonly port: KnownPort | undefined;
  readonly changes: readonly PortChange[];
}

/** What is known of the ports of a host that answered, and the differences. Ports that are no longer tried are forgotten. */
export function portsAfter(
  known: readonly KnownPort[],
  { address, ports, stopped }: HostSeen,
  look: PortLook,
): { readonly ports: readonly KnownPort[]; readonly changes: readonly Change[] } {
  const knownPorts = new Map(known.map((one) => [one.port, one]));
  const seenPorts = new Map(ports.map((one) => [one.port, one]));
  const numbers = [...new Set([...knownPorts.keys(), ...seenPorts.keys()])].sort((one, other) => one - other);
  const looks = numbers.map((number): PortDifferences => {
    const [before, seen] = [knownPorts.get(number), seenPorts.get(number)];
    if (seen?.state === 'open') return openPort(before, seen, look);
    if (before === undefined || !look.watchedNow.has(number)) return { port: undefined, changes: [] };
    return stopped === null && seen !== undefined ? missedPort(before, seen) : { port: before, changes: [] };
  });
  return {
    ports: looks.flatMap(({ port }) => (port === undefined ? [] : [port])),
    changes: looks.flatMap(({ changes }) => changes.map((change) => ({ ...change, address }))),
  };
}

const isOpenNow = ({ service, security }: Pick<PortSeen, 'service' | 'security'>) => ({ service, security });

function openPort(before: KnownPort | undefined, seen: PortSeen, look: PortLook): PortDifferences {
  const { port } = seen;
  const change = (kind: ChangeKind, from: PortChange['before'], to: PortChange['after']): PortChange => ({
    kind,
    port,
    before: from,
    after: to,
  });
  const wasTried = before !== undefined || look.watchedBefore.has(port);
  const isNew = before === undefined || !before.isOpen;
  const opened = isNew && wasTried ? [change('port_opened', null, isOpenNow(seen))] : [];
  // A service that says nothing this time has not changed.
  const isSilent = !isNew && seen.service === null;
  const current = isSilent ? before : seen;
  const isOther = !isNew && !isSilent && before.service !== null && before.service !== seen.service;
  const other = isOther ? [change('service_changed', isOpenNow(before), isOpenNow(seen))] : [];
  const technologies = technologiesAfter(isOther || isNew ? null : before.technologies, seen.technologies);
  const certificate = certificateChanges(isNew ? null : before, seen.certificate, look.at);
  return {
    port: {
      port,
      isOpen: true,
      service: current.service,
      security: current.security,
      certificate: certificate.certificate,
      notifiedDays: certificate.notifiedDays,
      technologies: isSilent ? before.technologies : technologies.technologies,
      misses: 0,
    },
    changes: [
      ...opened,
      ...other,
      ...(isSilent ? [] : technologies.changes.map((one) => ({ ...one, port }))),
      ...certificate.changes.map((one) => ({ ...one, port })),
    ],
  };
}

function missedPort(before: KnownPort, { state }: PortSeen): PortDifferences {
  if (!before.isOpen) return { port: before, changes: [] };
  const misses = before.misses + 1;
  const isOpen = misses < MISSES_UNTIL_GONE;
  const closed: PortChange = {
    kind: 'port_closed',
    port: before.port,
    before: isOpenNow(before),
    after: { state },
  };
  return { port: { ...before, misses, isOpen }, changes: isOpen ? [] : [closed] };
}
