import type { VNode } from 'preact';
import type { Beacon } from '../../modules/beacons';
import { DEFAULT_PORTS, type Discovery, MAX_HOSTS } from '../../modules/discovery';
import { Card } from '../frame/card';
import { VerdictBadge } from '../frame/badges';
import { Field, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { countText, pluralize } from '../frame/words';
import { Table } from '../frame/table';
import { discoveriesUrl } from '../urls';

interface DiscoveriesCardProps {
  readonly beacon: Beacon;
  readonly discoveries: readonly Discovery[];
  /** Whether the caller may start one. */
  readonly mayDiscover: boolean;
}

/** On the page of a beacon. */
export function DiscoveriesCard({ beacon, discoveries, mayDiscover }: DiscoveriesCardProps): VNode | null {
  if (!mayDiscover && discoveries.length === 0) return null;
  return (
    <Card id="discoveries" title="Hosts in the network">
      {discoveries.length === 0 ? (
        <p>A discovery tries to connect to a few ports of each host, and lists those that answer.</p>
      ) : (
        <DiscoveriesTable beacon={beacon} discoveries={discoveries} />
      )}
      {mayDiscover && <StartPanel beacon={beacon} />}
    </Card>
  );
}

const DiscoveriesTable = ({ beacon, discoveries }: Omit<DiscoveriesCardProps, 'mayDiscover'>): VNode => (
  <Table
    rows={discoveries}
    columns={[
      {
        label: 'Discovery',
        class: 'main',
        cell: ({ uuid, created }) => (
          <a href={`${discoveriesUrl(beacon.organizationId, beacon.id)}/${uuid}`}>
            <Time at={created} />
          </a>
        ),
      },
      { label: 'State', class: 'nowrap', cell: ({ status }) => <VerdictBadge verdict={status.toLowerCase()} /> },
      {
        label: 'Answered',
        class: 'nowrap',
        isNamed: true,
        cell: ({ hosts, hostsAnswered }) => `${hostsAnswered} of ${pluralize(hosts, 'host')}`,
      },
    ]}
  />
);

const StartPanel = ({ beacon }: { beacon: Beacon }): VNode => (
  <Panel label="Discover hosts" kind="primary" action={discoveriesUrl(beacon.organizationId, beacon.id)}>
    <p>
      It opens at most 50 connections a second through the beacon. Only private addresses are tried, at most{' '}
      {countText(MAX_HOSTS)} hosts.
    </p>
    <TextArea
      name="cidrs"
      label="Networks"
      hint="In CIDR notation, one in each line. Empty for all private networks of the beacon."
      rows={2}
    />
    <Field
      name="ports"
      label="Ports"
      hint="With commas between them."
      input={{ value: DEFAULT_PORTS.join(', '), required: false, maxLength: 200 }}
    />
    <button class="primary">Start</button>
  </Panel>
);
