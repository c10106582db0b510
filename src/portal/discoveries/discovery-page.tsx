import type { VNode } from 'preact';
import { type CandidateView, isDiscoveryOver } from '../../modules/discovery';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Form, useRefusal } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { type Column, Table } from '../frame/table';
import { selectColumn } from '../frame/select-column';
import { FollowedPart } from '../live/followed-part';
import { assetUrl, beaconsUrl, discoveriesUrl } from '../urls';
import { DiscoveryProgressPart } from './discovery-progress';
import type { DiscoveryPageView } from './discovery-reader';

/** As many as one request adds. */
const MAX_SHOWN = 500;

const urlOf = ({ discovery: { organizationId, beaconId, uuid } }: DiscoveryPageView): string =>
  `${discoveriesUrl(organizationId, beaconId)}/${uuid}`;

export const isRunning = ({ discovery }: DiscoveryPageView): boolean => !isDiscoveryOver(discovery.status);

/** All of it changes with the end of the discovery. */
export const DiscoveryPage = ({ view }: { view: DiscoveryPageView }): VNode => (
  <div class="columns" id="live">
    <div>{isRunning(view) ? <Running view={view} /> : <Candidates view={view} />}</div>
    <aside>
      <Facts view={view} />
    </aside>
  </div>
);

function Running({ view }: { view: DiscoveryPageView }): VNode {
  const base = urlOf(view);
  return (
    <Card id="progress" title="Progress">
      <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
        <DiscoveryProgressPart discovery={view.discovery} />
      </FollowedPart>
      <p class="muted">The hosts that answer are listed when it ends.</p>
      {view.mayDiscover && (
        <Form action={`${base}/cancel`}>
          <button>Cancel, and keep what was found</button>
        </Form>
      )}
    </Card>
  );
}

function Candidates({ view }: { view: DiscoveryPageView }): VNode {
  const { candidates, mayAdd } = view;
  const missing = candidates.filter(({ assetId }) => assetId === null).length;
  return (
    <Card id="hosts" title={`${pluralize(candidates.length, 'host')} answered`}>
      {candidates.length === 0 && <p class="muted">No host accepted a connection on one of the ports.</p>}
      {mayAdd && missing > 0 && <AddAll view={view} missing={missing} />}
      {candidates.length > 0 && (mayAdd && missing > 0 ? <Selection view={view} /> : <CandidatesTable view={view} />)}
      {candidates.length > MAX_SHOWN && (
        <p class="hint">
          These are the first {MAX_SHOWN}. The API returns all {candidates.length}.
        </p>
      )}
    </Card>
  );
}

const AddAll = ({ view, missing }: { view: DiscoveryPageView; missing: number }): VNode => (
  <Form action={`${urlOf(view)}/assets`} class="add-all">
    <button class="primary">Add {missing === 1 ? '1 host as an asset' : `${missing} hosts as assets`}</button>
  </Form>
);

const Selection = ({ view }: { view: DiscoveryPageView }): VNode => (
  <Form action={`${urlOf(view)}/assets`} class="bulk">
    <CandidatesTable view={view} isSelectable />
    <div class="bulk-bar" role="group" aria-label="Add the selected hosts">
      <strong class="selected-count" aria-live="polite">
        Selected hosts
      </strong>
      <button>Add as assets</button>
    </div>
  </Form>
);

function CandidatesTable({ view, isSelectable = false }: { view: DiscoveryPageView; isSelectable?: boolean }): VNode {
  const { candidates, discovery } = view;
  const columns: readonly Column<CandidateView>[] = [
    { label: 'Address', class: 'address', cell: ({ address }) => <code dir="ltr">{address}</code> },
    { label: 'Open ports', isNamed: true, cell: ({ ports }) => ports.join(', ') },
    {
      label: 'Asset',
      class: 'nowrap',
      cell: ({ assetId }) =>
        assetId === null ? (
          <span class="muted">not an asset</span>
        ) : (
          <a href={assetUrl(discovery.organizationId, assetId)}>Show the asset</a>
        ),
    },
  ];
  // The selection of a refused form.
  const selected = new Set([useRefusal(`${urlOf(view)}/assets`)?.fields['addresses']].flat());
  const selection = selectColumn<CandidateView>({
    name: 'addresses',
    all: 'Select all hosts',
    of: ({ address, assetId }) =>
      assetId === null ? { value: address, isSelected: selected.has(address), label: `Select ${address}` } : undefined,
  });
  return (
    <Table
      class="list candidates"
      rows={candidates.slice(0, MAX_SHOWN)}
      columns={isSelectable ? [selection, ...columns] : columns}
    />
  );
}

function Facts({ view }: { view: DiscoveryPageView }): VNode {
  const { discovery, beacon } = view;
  const { organizationId, status, error, cidrs, ports, hosts, hostsDone, hostsSkipped } = discovery;
  return (
    <Card id="facts" title="Details">
      <dl class="facts">
        <Fact label="State">
          <VerdictBadge verdict={status.toLowerCase()} />
          {error !== null && <p>{error}</p>}
        </Fact>
        <Fact label="Networks">
          <code dir="ltr">{cidrs.join(', ')}</code>
        </Fact>
        <Fact label="Ports">{ports.join(', ')}</Fact>
        {!isRunning(view) && (
          <Fact label="Hosts tried">
            {hostsDone - hostsSkipped} of {hosts}
            {hostsSkipped > 0 && <p>The beacon does not allow {pluralize(hostsSkipped, 'other')}.</p>}
          </Fact>
        )}
        <Fact label="Started">
          <Time at={discovery.created} />
        </Fact>
      </dl>
      <p>
        <a href={`${beaconsUrl(organizationId)}/${beacon.id}`}>The beacon {beacon.name}</a>
      </p>
    </Card>
  );
}
