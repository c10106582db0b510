import type { VNode } from 'preact';
import { type CandidateView, isDiscoveryOver } from '../../modules/discovery';
import { VerdictBadge } from '../frame/badges';
import { Form, useRefusal } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { assetsUrl, beaconsUrl, discoveriesUrl } from '../urls';
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
    <section class="card" aria-labelledby="progress-title">
      <h2 id="progress-title">Progress</h2>
      <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
        <DiscoveryProgressPart discovery={view.discovery} />
      </FollowedPart>
      <p class="muted">The hosts that answer are listed when it ends.</p>
      {view.mayDiscover && (
        <Form action={`${base}/cancel`}>
          <button>Cancel, and keep what was found</button>
        </Form>
      )}
    </section>
  );
}

function Candidates({ view }: { view: DiscoveryPageView }): VNode {
  const { candidates, mayAdd } = view;
  const missing = candidates.filter(({ assetId }) => assetId === null).length;
  return (
    <section class="card" aria-labelledby="hosts-title">
      <h2 id="hosts-title">{pluralize(candidates.length, 'host')} answered</h2>
      {candidates.length === 0 && <p class="muted">No host accepted a connection on one of the ports.</p>}
      {mayAdd && missing > 0 && <AddAll view={view} missing={missing} />}
      {candidates.length > 0 && (mayAdd && missing > 0 ? <Selection view={view} /> : <CandidatesTable view={view} />)}
      {candidates.length > MAX_SHOWN && (
        <p class="hint">
          These are the first {MAX_SHOWN}. The API returns all {candidates.length}.
        </p>
      )}
    </section>
  );
}

const AddAll = ({ view, missing }: { view: DiscoveryPageView; missing: number }): VNode => (
  <Form action={`${urlOf(view)}/assets`} class="add-all">
    <button class="primary compact">Add {missing === 1 ? '1 host as an asset' : `${missing} hosts as assets`}</button>
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

const CandidatesTable = ({
  view,
  isSelectable = false,
}: {
  view: DiscoveryPageView;
  isSelectable?: boolean;
}): VNode => (
  <table class="list candidates">
    <thead>
      <tr>
        {isSelectable && (
          <th scope="col" class="select">
            <span class="visually-hidden">Selected</span>
            <input type="checkbox" id="select-all" aria-label="Select all hosts" hidden />
          </th>
        )}
        <th scope="col">Address</th>
        <th scope="col">Open ports</th>
        <th scope="col">Asset</th>
      </tr>
    </thead>
    <tbody>
      {view.candidates.slice(0, MAX_SHOWN).map((candidate) => (
        <CandidateRow key={candidate.address} {...{ view, candidate, isSelectable }} />
      ))}
    </tbody>
  </table>
);

interface CandidateRowProps {
  readonly view: DiscoveryPageView;
  readonly candidate: CandidateView;
  readonly isSelectable: boolean;
}

function CandidateRow({ view, candidate: { address, ports, assetId }, isSelectable }: CandidateRowProps): VNode {
  // The selection of a refused form.
  const selected = [useRefusal(`${urlOf(view)}/assets`)?.fields['addresses']].flat();
  return (
    <tr>
      {isSelectable && (
        <td class="select">
          {assetId === null && (
            <input
              type="checkbox"
              name="addresses"
              value={address}
              checked={selected.includes(address)}
              aria-label={`Select ${address}`}
            />
          )}
        </td>
      )}
      <td class="address">
        <code dir="ltr">{address}</code>
      </td>
      <td data-label="Open ports">{ports.join(', ')}</td>
      <td class="nowrap">
        {assetId === null ? (
          <span class="muted">not an asset</span>
        ) : (
          <a href={`${assetsUrl(view.discovery.organizationId)}/${assetId}`}>Show the asset</a>
        )}
      </td>
    </tr>
  );
}

function Facts({ view }: { view: DiscoveryPageView }): VNode {
  const { discovery, beacon } = view;
  const { organizationId, status, error, cidrs, ports, hosts, hostsDone, hostsSkipped } = discovery;
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <dl class="facts">
        <div>
          <dt>State</dt>
          <dd>
            <VerdictBadge verdict={status.toLowerCase()} />
            {error !== null && <p>{error}</p>}
          </dd>
        </div>
        <div>
          <dt>Networks</dt>
          <dd>
            <code dir="ltr">{cidrs.join(', ')}</code>
          </dd>
        </div>
        <div>
          <dt>Ports</dt>
          <dd>{ports.join(', ')}</dd>
        </div>
        {!isRunning(view) && (
          <div>
            <dt>Hosts tried</dt>
            <dd>
              {hostsDone - hostsSkipped} of {hosts}
              {hostsSkipped > 0 && <p>The beacon does not allow {pluralize(hostsSkipped, 'other')}.</p>}
            </dd>
          </div>
        )}
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={discovery.created} />
          </dd>
        </div>
      </dl>
      <p>
        <a href={`${beaconsUrl(organizationId)}/${beacon.id}`}>The beacon {beacon.name}</a>
      </p>
    </section>
  );
}
