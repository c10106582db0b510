import type { VNode } from 'preact';
import type { WaysToConfirm } from '../../modules/identity';
import type { LinkedProvider } from '../../modules/providers';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { ConfirmationFields } from '../security/confirmation-fields';

interface LinkedProvidersProps {
  readonly providers: readonly LinkedProvider[];
  /** What a new link asks for. */
  readonly ways: WaysToConfirm;
  readonly hasKeysToReview: boolean;
}

export const LinkedProvidersPage = ({ providers, ways, hasKeysToReview }: LinkedProvidersProps): VNode => (
  <Settings current="security">
    <h2>Linked providers</h2>
    <p>
      An organization’s identity provider signs you in to that organization alone, the provider of the installation to
      all of yours.
    </p>
    {providers.some(({ identity }) => identity?.reviewSince instanceof Date) && (
      <p>You have set a new password. Keep the links that you know, and unlink those that you did not make.</p>
    )}
    {hasKeysToReview && (
      <p>
        <a href="/settings/api">API keys</a> also wait for your decision.
      </p>
    )}
    {providers.length === 0 ? (
      <p class="muted">None of your organizations has set up a provider.</p>
    ) : (
      <Table
        class="block-table"
        rows={providers}
        columns={[
          { label: 'Provider', class: 'wide', cell: ({ issuer }) => <bdi>{issuer}</bdi> },
          { label: 'Organization', isNamed: true, cell: ({ name }) => <bdi>{name ?? 'all'}</bdi> },
          { label: 'Linked', isNamed: true, cell: ({ identity }) => <Linked identity={identity} /> },
          {
            label: 'Confirmed',
            isNamed: true,
            cell: ({ identity }) => (identity === undefined ? 'never' : <Time at={identity.checked} />),
          },
          { label: 'Action', isLabelHidden: true, cell: (provider) => <Action {...{ provider, ways }} /> },
        ]}
      />
    )}
  </Settings>
);

const Linked = ({ identity }: Pick<LinkedProvider, 'identity'>): VNode =>
  identity === undefined ? (
    <>not linked</>
  ) : (
    <>
      <Time at={identity.created} /> in <bdi>{identity.userAgent ?? 'an unknown browser'}</bdi>
    </>
  );

interface ActionProps extends Pick<LinkedProvidersProps, 'ways'> {
  readonly provider: LinkedProvider;
}

const Action = ({ provider: { id, name, identity }, ways }: ActionProps): VNode =>
  identity === undefined ? (
    <Panel label="Link" of={name ?? ''} action={`/settings/providers/${id}/link`}>
      <ConfirmationFields id={`link-${id}`} ways={ways} button="Continue" kind="primary" />
    </Panel>
  ) : (
    <div class="actions">
      {identity.reviewSince !== null && (
        <Form action={`/settings/providers/${identity.id}/keep`}>
          <button>
            Keep<span class="visually-hidden"> {name}</span>
          </button>
        </Form>
      )}
      <Panel label="Unlink" of={name ?? ''} action={`/settings/providers/${identity.id}/unlink`}>
        <p>Sessions and API keys that it has opened end at once.</p>
        <button class="danger">Unlink</button>
      </Panel>
    </div>
  );
