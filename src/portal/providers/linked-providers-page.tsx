import type { VNode } from 'preact';
import type { LinkedProvider } from '../../modules/providers';
import { Panel } from '../frame/panel';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { Time } from '../frame/time';

export const LinkedProvidersPage = ({ providers }: { providers: readonly LinkedProvider[] }): VNode => (
  <Settings current="security">
    <h2>Linked providers</h2>
    <p>Identity providers that may sign you in: each to its own organization, that of the installation to all.</p>
    {providers.length === 0 ? (
      <p class="muted">None of your organizations has set up a provider.</p>
    ) : (
      <Table
        class="block-table"
        rows={providers}
        columns={[
          { label: 'Provider', class: 'wide', cell: ({ issuer }) => <bdi>{issuer}</bdi> },
          { label: 'Organization', isNamed: true, cell: ({ name }) => <bdi>{name ?? 'all'}</bdi> },
          {
            label: 'Confirmed',
            isNamed: true,
            cell: ({ identity }) => (identity === undefined ? 'not linked' : <Time at={identity.checked} />),
          },
          { label: 'Action', isLabelHidden: true, cell: (provider) => <Action {...provider} /> },
        ]}
      />
    )}
  </Settings>
);

const Action = ({ id, name, identity }: LinkedProvider): VNode =>
  identity === undefined ? (
    <a href={`/settings/providers/${id}/link`}>
      Link<span class="visually-hidden"> {name}</span>
    </a>
  ) : (
    <Panel label="Unlink" of={name ?? ''} action={`/settings/providers/${identity.id}/unlink`}>
      <p>Sessions and API keys that it has opened end at once.</p>
      <button class="danger">Unlink</button>
    </Panel>
  );
