import type { VNode } from 'preact';
import type { KeyOfUser } from '../../modules/identity';
import type { KeyScope } from '../../platform/api/caller';
import { Form } from '../frame/form';
import { OverlapSelect } from '../frame/overlap-select';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { Table } from '../frame/table';

interface OpensProps {
  readonly apiKey: KeyOfUser;
  readonly organizations: readonly { readonly id: number; readonly name: string }[];
}

interface KeyTableProps {
  readonly keys: readonly KeyOfUser[];
  readonly organizations: OpensProps['organizations'];
  /** The fewest scopes that each key needs, if they are fewer than it has. */
  readonly suggestions: ReadonlyMap<number, readonly KeyScope[] | undefined>;
}

export const isOver = ({ revoked, expires }: KeyOfUser): boolean =>
  revoked !== null || (expires !== null && expires.getTime() <= Date.now());

/** The names of the organizations that a key opens. */
export const Opens = ({ apiKey, organizations }: OpensProps): VNode => (
  <span dir="auto">
    {apiKey.organizationIds === null
      ? 'all of the integrator'
      : apiKey.organizationIds.length === 0
        ? 'none'
        : apiKey.organizationIds.map((id) => nameIn(organizations, id)).join(', ')}
  </span>
);

const nameIn = (organizations: OpensProps['organizations'], id: number): string =>
  organizations.find((one) => one.id === id)?.name ?? `organization ${id}`;

export const KeyTable = ({ keys, organizations, suggestions }: KeyTableProps): VNode => (
  <Table
    class="block-table"
    rows={keys}
    columns={[
      { label: 'Label and key id', class: 'wide', cell: (key) => <KeyName apiKey={key} /> },
      {
        label: 'Scopes',
        isNamed: true,
        cell: (key) => (
          <>
            {key.scopes.join(', ')}
            {!isOver(key) && <Narrow apiKey={key} suggested={suggestions.get(key.id)} />}
          </>
        ),
      },
      {
        label: 'Organizations',
        class: 'wide',
        isNamed: true,
        cell: (key) => <Opens apiKey={key} organizations={organizations} />,
      },
      { label: 'Created', isNamed: true, cell: ({ created }) => <Time at={created} to="day" /> },
      {
        label: 'Last used',
        isNamed: true,
        cell: ({ lastUsed }) => (lastUsed === null ? 'never' : <Time at={lastUsed} />),
      },
      { label: 'Expires', isNamed: true, cell: (key) => <Expiry apiKey={key} /> },
      { label: 'Actions', isLabelHidden: true, cell: (key) => !isOver(key) && <KeyActions apiKey={key} /> },
    ]}
  />
);

const KeyName = ({ apiKey: { label, accessKey, createdBy } }: { apiKey: KeyOfUser }): VNode => (
  <>
    <strong dir="auto">{label}</strong>
    <br />
    <code>{accessKey}</code>
    {createdBy !== null && (
      <p class="suggestion">
        created by the key <code>{createdBy}</code>
      </p>
    )}
  </>
);

function Expiry({ apiKey: { revoked, expires } }: { apiKey: KeyOfUser }): VNode {
  if (revoked !== null)
    return (
      <>
        revoked <Time at={revoked} to="day" />
      </>
    );
  return expires === null ? <>never</> : <Time at={expires} to="day" />;
}

const Narrow = ({
  apiKey,
  suggested,
}: {
  apiKey: KeyOfUser;
  suggested: readonly KeyScope[] | undefined;
}): VNode | null =>
  suggested === undefined ? null : (
    <div class="suggestion">
      In the last 90 days it needed only {suggested.join(' and ')}.{' '}
      <Form action={`/settings/api/${apiKey.id}/narrow`}>
        {suggested.map((scope) => (
          <input key={scope} type="hidden" name={scope} value="true" />
        ))}
        <button>
          Narrow to {suggested.join(' and ')}
          <span class="visually-hidden"> the key {apiKey.label}</span>
        </button>
      </Form>
    </div>
  );

const KeyActions = ({ apiKey: { id, label } }: { apiKey: KeyOfUser }): VNode => (
  <div class="actions">
    <Panel label="Rotate" of={label} action={`/settings/api/${id}/rotate`}>
      <OverlapSelect id={`overlap-${id}`} label="The old secret works for" />
      <button>Create a new secret</button>
    </Panel>
    <Panel label="Revoke" of={label} action={`/settings/api/${id}/revoke`}>
      <p>The key and all keys that it created stop working within five seconds. This cannot be undone.</p>
      <button class="danger">Revoke the key</button>
    </Panel>
  </div>
);
