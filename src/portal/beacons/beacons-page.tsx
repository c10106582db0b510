import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { type Beacon, type BeaconSecrets, type BeaconView, beaconStatusVocabulary } from '../../modules/beacons';
import type { Discovery } from '../../modules/discovery';
import { DiscoveriesCard } from '../discoveries/discoveries-card';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { CopyBlock } from '../frame/copy-block';
import { Checkbox, Field, Form, TextArea } from '../frame/form';
import { OverlapSelect } from '../frame/overlap-select';
import { Only } from '../frame/only';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { Sheet } from '../frame/sheet';
import { Table } from '../frame/table';
import { beaconsUrl, beaconUrl } from '../urls';
import { OneTimeTokenPanels } from './one-time-token-pages';

interface BeaconsPageProps {
  readonly organizationId: number;
  readonly slice: Slice<Beacon>;
  readonly page: Page;
  readonly url: string;
  readonly isSilent: boolean;
  readonly mayChange: boolean;
}

export const BeaconsPage = (props: BeaconsPageProps): VNode => (
  <>
    <p>
      A beacon connects a private network, so that its assets can be tested. Its agent is a program on a machine of that
      network, which only dials out to this service and connects only to the networks of the beacon.
    </p>
    <Only what={props.isSilent ? 'That do not report' : undefined} all={beaconsUrl(props.organizationId)} />
    {props.slice.items.length > 0 && <BeaconsTable {...props} />}
    {props.slice.items.length === 0 && !props.isSilent && <NoBeacons mayChange={props.mayChange} />}
    <Pager page={props.page} slice={props.slice} url={props.url} />
  </>
);

const NoBeacons = ({ mayChange }: { mayChange: boolean }): VNode => (
  <section class="empty">
    <h2>No beacons yet</h2>
    <p>
      {mayChange
        ? 'Sites in the Internet need no beacon. A beacon is for a private network.'
        : 'An admin of the organization can create one.'}
    </p>
  </section>
);

export const statusOfBeacon = ({ status }: Beacon): string =>
  beaconStatusVocabulary.find(({ number }) => number === status)?.name ?? String(status);

const BeaconsTable = ({ organizationId, slice }: BeaconsPageProps): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'Beacon',
        class: 'main wide',
        cell: ({ id, name }) => <a href={beaconUrl(organizationId, id)}>{name}</a>,
      },
      { label: 'State', class: 'nowrap', cell: (beacon) => <VerdictBadge verdict={statusOfBeacon(beacon)} /> },
      {
        label: 'Networks',
        class: 'wide',
        cell: ({ allowedCidrs }) => <code dir="ltr">{allowedCidrs.join(', ')}</code>,
      },
      {
        label: 'Last report',
        class: 'nowrap muted',
        isNamed: true,
        cell: ({ lastReport }) => (lastReport === null ? 'never' : <Time at={lastReport} />),
      },
    ]}
  />
);

export const NewBeacon = ({ organizationId }: { organizationId: number }): VNode => (
  <Sheet id="new" label="New beacon" action={beaconsUrl(organizationId)}>
    <SettingsFields />
    <Field
      name="interface_name"
      label="Network interface"
      hint="Only if the host has several. It cannot be changed later."
      input={{ required: false, maxLength: 15, placeholder: 'eth0' }}
    />
    <button class="primary">Create the beacon</button>
  </Sheet>
);

const SettingsFields = ({ beacon }: { beacon?: Beacon }): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: beacon?.name, maxLength: 63, placeholder: 'office-berlin' }} />
    <TextArea
      name="allowed_cidrs"
      label="Networks"
      hint="The networks that it connects, in CIDR notation, one in each line."
      value={beacon?.allowedCidrs.join('\n')}
      required
    />
    <Field
      name="dns_server"
      label="DNS server"
      hint="The address of a name server in the network, if it has its own names."
      input={{ value: beacon?.dnsServer ?? '', required: false, maxLength: 45 }}
    />
    <Checkbox name="observe" label="Observe the assets behind it" checked={beacon?.observe ?? true} />
  </>
);

interface BeaconPageProps {
  readonly organizationId: number;
  readonly beacon: BeaconView;
  readonly discoveries: readonly Discovery[];
  readonly mayChange: boolean;
}

export function BeaconPage({ organizationId, beacon, discoveries, mayChange }: BeaconPageProps): VNode {
  const base = beaconUrl(organizationId, beacon.id);
  return (
    <div class="columns">
      <div>
        {mayChange ? (
          <Card id="edit" title="Settings">
            <Form action={base}>
              <SettingsFields beacon={beacon} />
              <button>Save</button>
            </Form>
          </Card>
        ) : (
          <p>
            Networks: <code dir="ltr">{beacon.allowedCidrs.join(', ')}</code>
          </p>
        )}
        <DiscoveriesCard {...{ beacon, discoveries }} mayDiscover={mayChange} />
        {mayChange && (
          <Panel label="Replace the token" action={`${base}/token`}>
            <OverlapSelect id={`overlap-${beacon.id}`} label="The old token works for" />
            <p>Agents with the old token are disconnected when it ends.</p>
            <button>Create a token</button>
          </Panel>
        )}
        {mayChange && <OneTimeTokenPanels base={base} />}
        {mayChange && (
          <Panel label="Delete the beacon" action={`${base}/delete`}>
            <p>This also deletes the assets behind it. Their findings stay.</p>
            <button class="danger">Delete {beacon.name}</button>
          </Panel>
        )}
      </div>
      <aside>
        <Card id="facts" title="Details">
          <dl class="facts">
            <Fact label="State">
              <VerdictBadge verdict={statusOfBeacon(beacon)} />
            </Fact>
            <Fact label="Agent">{agentOf(beacon)}</Fact>
            <Fact label="Last report">
              {beacon.lastReport === null ? 'It has not reported yet.' : <Time at={beacon.lastReport} />}
            </Fact>
            <Fact label="Version of the settings">{beacon.version}</Fact>
            <Fact label="Created">
              <Time at={beacon.created} />
            </Fact>
          </dl>
          <p>
            <a href={beaconsUrl(organizationId)}>All beacons</a>
          </p>
        </Card>
      </aside>
    </div>
  );
}

const agentOf = ({ isConnected, agentVersion }: BeaconView): string =>
  isConnected ? `connected, version ${agentVersion}` : 'not connected: its networks cannot be tested now';

interface InstallationProps {
  readonly beacon: Beacon;
  readonly token: string;
  readonly apiUrl: string;
}

/** What starts the agent on a machine of the network. */
const Installation = ({ beacon, token, apiUrl }: InstallationProps): VNode => (
  <>
    <h3>Start the agent</h3>
    <p>
      Ask the operator of this installation for <code>assay-beacon.cjs</code>, the program of the agent. Copy it to a
      machine of the network with Node 20 or later, and run:
    </p>
    <CopyBlock
      id="agent"
      label="Command"
      text={`ASSAY_BEACON_TOKEN='${token}' node assay-beacon.cjs --url '${apiUrl}' --beacon-id ${beacon.id}`}
      isSecret
    />
  </>
);

interface NewTokenProps extends InstallationProps {
  readonly organizationId: number;
}

/** The only page with a new token. */
export const NewTokenPage = ({ organizationId, ...installation }: NewTokenProps): VNode => (
  <Card id="secrets" title={`${installation.beacon.name} has a new token`}>
    <p>
      <strong>Store it now: it is not shown again.</strong>
    </p>
    <CopyBlock id="token" label="Token" text={installation.token} isSecret />
    <Installation {...installation} />
    <p>
      <a href={beaconUrl(organizationId, installation.beacon.id)}>I have stored it</a>
    </p>
  </Card>
);

interface CreatedBeaconProps {
  readonly apiUrl: string;
  readonly organizationId: number;
  readonly beacon: Beacon;
  readonly secrets: BeaconSecrets;
}

/** The only page with its secrets. */
export const CreatedBeaconPage = ({ organizationId, beacon, secrets, apiUrl }: CreatedBeaconProps): VNode => (
  <Card id="secrets" title={`${beacon.name} was created`}>
    <p>
      <strong>Store both now: they are not shown again.</strong>
    </p>
    <h3>Token</h3>
    <CopyBlock id="token" label="Token" text={secrets.token} isSecret />
    <Installation {...{ beacon, apiUrl }} token={secrets.token} />
    <h3>WireGuard configuration</h3>
    <p>It carries no tests: those go through the agent. Most networks do not need it.</p>
    <CopyBlock id="wireguard" label="WireGuard configuration" text={secrets.wireguardConfig} isSecret />
    <p>
      <a href={beaconUrl(organizationId, beacon.id)}>I have stored both</a>
    </p>
  </Card>
);
