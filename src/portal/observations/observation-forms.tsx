import type { VNode } from 'preact';
import type { HostingState } from '../../modules/assets';
import { Field, Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { observeUrl } from '../urls';
import type { ObservationView } from './observation-reader';

type Decisions = Pick<NonNullable<ObservationView['state']>, 'ownTarget' | 'permittedTarget'>;

const urlOf = ({ organizationId, asset: { id } }: ObservationView): string => observeUrl(organizationId, id);

export const CancelObservation = ({ view }: { view: ObservationView }): VNode => (
  <Form action={`${urlOf(view)}/cancel`}>
    <button>Cancel the observation</button>
  </Form>
);

/** For admins: what is tried, and what someone has confirmed about the host. */
export function ObservationForms({ view }: { view: ObservationView }): VNode {
  const { state, hosting } = view;
  return (
    <div class="observation-forms">
      {hosting !== null && state !== undefined && <Hosting view={view} hosting={hosting} decisions={state} />}
      <Panel label="Further ports" action={`${urlOf(view)}/ports`}>
        <Field
          name="observe_ports"
          label="Further ports"
          hint="Ports and ranges, such as 22,8000-8100. Leave it empty for the usual ones."
          input={{ value: state?.observePorts ?? '', required: false, maxLength: 6_000 }}
        />
        <button>Save</button>
      </Panel>
      <Form action={`${urlOf(view)}/setting`}>
        <button name="observe" value={String(!view.asset.observe)}>
          {view.asset.observe ? 'Turn off its observation' : 'Turn on its observation'}
        </button>
      </Form>
    </div>
  );
}

/** The button states the target that the admin has seen: if it changes meanwhile, the service refuses it. */
function Hosting({
  view,
  hosting: { by, target, isLimited },
  decisions: { ownTarget, permittedTarget },
}: {
  view: ObservationView;
  hosting: HostingState;
  decisions: Decisions;
}): VNode {
  const action = `${urlOf(view)}/host`;
  if (!isLimited && ownTarget !== target && permittedTarget !== target)
    return <p class="muted">An admin has confirmed the host on another of its assets.</p>;
  if (!isLimited)
    return (
      <Form action={action}>
        <p class="muted">
          {ownTarget === target
            ? 'An admin has confirmed that the host is your own.'
            : 'An admin has confirmed that the operator of the host permits wider tests.'}{' '}
          This ends when its target changes.
        </p>
        <button>Withdraw the confirmation</button>
      </Form>
    );
  return (
    <Panel label="Confirm the host" action={action}>
      <p>
        <strong>It is your own</strong>: your organization runs <bdi>{target}</bdi>, at {by} or elsewhere. It is then
        observed and tested like your other hosts, until its target changes.
      </p>
      <button name="own_target" value={target}>
        The host is our own
      </button>
      <p>
        <strong>Its operator permits it</strong>: {by} allows you to test this host on further ports and with checks
        that are not passive. Your confirmation is in the audit log, and ends when its target changes.
      </p>
      <button name="permitted_target" value={target}>
        Its operator permits wider tests
      </button>
    </Panel>
  );
}
