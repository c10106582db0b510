import type { VNode } from 'preact';
import { type HostWithPorts, isObservationOver } from '../../modules/observations';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form } from '../frame/form';
import { Time } from '../frame/time';
import { asSentence, formatted } from '../frame/words';
import { homeUrl, observationUrl, observeUrl } from '../urls';
import { ChangesCard } from './changes';
import { CancelObservation, ObservationForms } from './observation-forms';
import type { ObservationView } from './observation-reader';
import { ObservedHost } from './observed-host';

const isRunning = ({ newest }: ObservationView): boolean => newest !== undefined && !isObservationOver(newest.status);

/** What observations have shown of an asset. It is read again while one runs. */
export function ObservationPart({ view }: { view: ObservationView }): VNode {
  const url = observationUrl(view.organizationId, view.asset.id);
  const polling = isRunning(view) && { 'hx-get': url, 'hx-trigger': 'every 3s', 'hx-swap': 'outerHTML' };
  return (
    <div class="stack" {...polling}>
      <WhatRunsHere view={view} />
      <ChangesCard view={view} />
    </div>
  );
}

const MAX_LISTED = 10;

const shortList = (texts: readonly string[]): string =>
  [...texts.slice(0, MAX_LISTED), ...(texts.length > MAX_LISTED ? [`and ${texts.length - MAX_LISTED} more`] : [])].join(
    ', ',
  );

const presentFirst = (one: HostWithPorts, other: HostWithPorts): number => Number(one.isGone) - Number(other.isGone);

function WhatRunsHere({ view }: { view: ObservationView }): VNode {
  const { items, total = 0 } = view.hosts;
  return (
    <Card id="what-runs-here" title="What runs here">
      <State view={view} />
      {items.toSorted(presentFirst).map((host) => (
        <ObservedHost key={host.id} host={host} />
      ))}
      {total > items.length && (
        <p class="hint">
          These are the newest {items.length} hosts. The API returns all {total}.
        </p>
      )}
      <ObserveNow view={view} />
      {view.mayDecide && !isRunning(view) && <ObservationForms view={view} />}
    </Card>
  );
}

function State({ view }: { view: ObservationView }): VNode {
  const { state, hosting, newest, block } = view;
  const problem = problemOf(view);
  const note = newest?.note ?? null;
  return (
    <>
      <dl class="facts facts-line">
        <Fact label="Last look">{state?.observed == null ? 'none yet' : <Time at={state.observed} />}</Fact>
        {state !== undefined && state.records.length > 0 && <Fact label="Addresses">{shortList(state.records)}</Fact>}
        {state !== undefined && state.aliases.length > 0 && <Fact label="Aliases">{shortList(state.aliases)}</Fact>}
        {hosting !== null && (
          <Fact label="Run by">
            {hosting.by} (<bdi>{hosting.target}</bdi>)
          </Fact>
        )}
        {block !== null && (
          <>
            <Fact label="Searched today">{formatted(block.searchedToday)} addresses</Fact>
            <Fact label="This search">
              {formatted(block.searched)} of {formatted(block.addresses)} addresses
            </Fact>
            <Fact label="Last complete">{block.completed === null ? 'never' : <Time at={block.completed} />}</Fact>
          </>
        )}
      </dl>
      {hosting?.isLimited === true && (
        <p class="muted">
          Only ports 80 and 443 are tried, and only passive checks run, because someone else runs the host. An admin can
          confirm that it is yours, or that its operator permits more.
        </p>
      )}
      {problem}
      {note !== null && <p class="muted">{asSentence(note)}</p>}
    </>
  );
}

/** Why nothing is shown, or nothing new, and what to do. */
function problemOf({ asset, state, organizationId, isEnabled, obstacle }: ObservationView): VNode | null {
  if (!asset.observe) return <p>An admin has turned off the observation of this asset.</p>;
  const reason = obstacle ?? state?.reason ?? null;
  if (reason !== null)
    return (
      <p>
        <strong>{obstacle === null ? 'The last look showed nothing.' : 'It is not observed.'}</strong>{' '}
        <span dir="auto">{asSentence(reason)}</span>
      </p>
    );
  if (isEnabled) return null;
  return (
    <p>
      Observation is off for this organization. An admin can turn it on at <a href={homeUrl(organizationId)}>Home</a>.
    </p>
  );
}

function ObserveNow({ view }: { view: ObservationView }): VNode | null {
  const { organizationId, asset, obstacle, mayObserve } = view;
  if (isRunning(view))
    return (
      <>
        <p role="status">Assay is looking at it now.</p>
        {mayObserve && <CancelObservation view={view} />}
      </>
    );
  if (!mayObserve || !asset.observe || obstacle !== null) return null;
  return (
    <Form action={observeUrl(organizationId, asset.id)} class="observe-now">
      <button>Observe now</button>
    </Form>
  );
}
