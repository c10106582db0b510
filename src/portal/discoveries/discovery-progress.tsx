import type { VNode } from 'preact';
import type { Discovery } from '../../modules/discovery';
import { pluralize } from '../frame/words';

/** What changes while a discovery runs. */
export function DiscoveryProgressPart({ discovery }: { discovery: Discovery }): VNode {
  const { status, hosts, hostsDone, hostsAnswered } = discovery;
  if (status === 'PENDING') return <p>It waits for a worker.</p>;
  return (
    <p>
      <progress max={hosts} value={hostsDone} aria-label="Hosts that were tried" /> {hostsDone} of{' '}
      {pluralize(hosts, 'host')} tried, {hostsAnswered} answered
    </p>
  );
}
