import type { HostSeen } from '../../../engine';
import type { ObservedAsset } from '../../assets/domain/observed-asset';
import type { KnownAsset } from './asset-change';

/** The summary of its hosts that the asset shows. It still has what a single look missed. */
export function summaryOf({ hosts }: KnownAsset, seen: readonly HostSeen[]): ObservedAsset {
  const present = hosts.filter(({ isGone }) => !isGone);
  const answered = seen.find(({ ports }) => ports.some(({ state }) => state !== 'filtered'));
  const ports = present.flatMap((host) => host.ports.filter(({ isOpen }) => isOpen));
  return {
    ip: answered?.address ?? present[0]?.address ?? null,
    services: [...new Set(ports.flatMap(({ service }) => service ?? []))],
    ports: [...new Set(ports.map(({ port }) => port))],
    technologies: ports.flatMap(({ technologies }) => technologies),
  };
}
