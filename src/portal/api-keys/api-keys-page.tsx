import { addDays, dayOf } from '../../kernel/day';
import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { KeyOfUser, KeyWithSecret } from '../../modules/identity';
import type { KeyScope } from '../../platform/api/caller';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Checkbox, Field, Form, Select } from '../frame/form';
import { OverlapSelect } from '../frame/overlap-select';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { SecretBlock } from '../frame/secret-block';
import { Settings } from '../frame/settings-tabs';
import { LastUse, Time } from '../frame/time';
import { Table } from '../frame/table';

interface ShownKeys {
  readonly page: Page;
  readonly slice: Slice<KeyOfUser>;
  readonly organizations: readonly { readonly id: number; readonly name: string }[];
  readonly isIntegrator: boolean;
  /** The fewest scopes that each key needs, if they are fewer than it has. */
  readonly suggestions: ReadonlyMap<number, readonly KeyScope[] | undefined>;
  readonly created?: KeyWithSecret;
  readonly url: string;
  readonly apiUrl: string;
}

const SCOPES: readonly (readonly [KeyScope, string])[] = [
  ['read', 'every GET: read findings, assets, reports and the rest'],
  ['ci', 'what a pipeline needs: start scans, and read their results'],
  ['write', 'everything that your role allows, also reading and creating keys'],
];

const PRESET_DAYS = 90;

const isOver = ({ revoked, expires }: KeyOfUser): boolean =>
  revoked !== null || (expires !== null && expires.getTime() <= Date.now());

export function ApiKeysPage(shown: ShownKeys): VNode {
  const { page, slice, created, url } = shown;
  const usable = slice.items.filter((key) => !isOver(key));
  const toReview = usable.filter(({ review }) => review !== null);
  const over = slice.items.filter(isOver);
  return (
    <Settings current="api">
      {created !== undefined && <NewSecret created={created} apiUrl={shown.apiUrl} />}
      {toReview.length > 0 && <Review keys={toReview} organizations={shown.organizations} />}
      <section aria-labelledby="api-keys-title">
        <h2 id="api-keys-title">API keys</h2>
        <p>
          Programs sign in to the API with a key and its secret. A key acts as you, with your roles, and within its
          scopes.
        </p>
        <NewKey {...shown} />
      </section>
      {usable.length === 0 ? (
        <p class="empty">You have no usable key. Create one to use the API from a program or a pipeline.</p>
      ) : (
        <KeyTable {...shown} keys={usable} />
      )}
      {over.length > 0 && (
        <details class="panel">
          <summary>Revoked and expired keys ({over.length})</summary>
          <KeyTable {...shown} keys={over} />
        </details>
      )}
      <Pager page={page} slice={slice} url={url} />
    </Settings>
  );
}

const NewSecret = ({ created: { key, secret }, apiUrl }: { created: KeyWithSecret; apiUrl: string }): VNode => (
  <SecretBlock id="secret" title={`The secret of ${key.label}`} secret={secret}>
    <p>
      The key id is <code>{key.accessKey}</code>. Try it:
    </p>
    <CopyBlock id="curl" label="Command" text={`curl -u '${key.accessKey}:${secret}' '${apiUrl}/v1/me'`} />
  </SecretBlock>
);

const REVIEW_REASONS = {
  upgrade:
    'It had no limit to an organization. Since an upgrade it opens those that you were in at that time, and no others.',
  new_password: 'It still works after your new password.',
} as const;

/** After a new password or an upgrade. */
const Review = ({ keys, organizations }: Pick<ShownKeys, 'organizations'> & { keys: readonly KeyOfUser[] }): VNode => (
  <Card id="review" title="Do you still need these keys?">
    <p>Keep the keys that you know. End those that you did not make or no longer use.</p>
    <ul class="plain">
      {keys.map((key) => (
        <li key={key.id}>
          <p>
            <strong dir="auto">{key.label}</strong> <code>{key.accessKey}</code>, opens{' '}
            <Opens apiKey={key} organizations={organizations} />, <LastUse of={key} />.{' '}
            {key.review !== null && REVIEW_REASONS[key.review]}
          </p>
          <div class="actions">
            <Form action={`/settings/api/${key.id}/keep`}>
              <button>
                Keep<span class="visually-hidden"> the key {key.label}</span>
              </button>
            </Form>
            <Form action={`/settings/api/${key.id}/revoke`}>
              <button class="danger">
                End<span class="visually-hidden"> the key {key.label}</span>
              </button>
            </Form>
          </div>
        </li>
      ))}
    </ul>
  </Card>
);

/** The names of the organizations that a key opens. */
const Opens = ({ apiKey, organizations }: Pick<ShownKeys, 'organizations'> & { apiKey: KeyOfUser }): VNode => (
  <span dir="auto">
    {apiKey.organizationIds === null
      ? 'all of the integrator'
      : apiKey.organizationIds.length === 0
        ? 'none'
        : apiKey.organizationIds.map((id) => nameIn(organizations, id)).join(', ')}
  </span>
);

const nameIn = (organizations: ShownKeys['organizations'], id: number): string =>
  organizations.find((one) => one.id === id)?.name ?? `organization ${id}`;

function NewKey({ organizations, isIntegrator }: ShownKeys): VNode {
  const preset = addDays(dayOf(new Date()), PRESET_DAYS);
  const choices = organizations.map(({ id, name }) => ({ value: id, label: name }));
  const all = isIntegrator
    ? 'All of the integrator, also later ones'
    : `All that you are in today: ${organizations.map(({ name }) => name).join(', ')}`;
  return (
    <Panel label="New key" kind="primary" action="/settings/api">
      <Field
        name="label"
        label="Label"
        hint="What uses the key, such as the pipeline of the shop."
        input={{ maxLength: 200 }}
      />
      <fieldset class="choices">
        <legend>Scopes</legend>
        {SCOPES.map(([scope, allows]) => (
          <Checkbox
            key={scope}
            name={scope}
            checked={scope === 'read'}
            label={
              <>
                <code>{scope}</code>: {allows}
              </>
            }
          />
        ))}
      </fieldset>
      <Select
        name="organization"
        label="Organization"
        options={[...choices, { value: '', label: all }]}
        value={choices[0]?.value}
      />
      <Field
        name="expires"
        label="Last day"
        hint="In 90 days unless you change it. Without a day the key does not expire."
        input={{ type: 'date', required: false, value: preset }}
      />
      <button class="primary">Create the key</button>
    </Panel>
  );
}

const KeyTable = ({ keys, organizations, suggestions }: ShownKeys & { keys: readonly KeyOfUser[] }): VNode => (
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
    <Panel label="Revoke" of={label} kind="danger" action={`/settings/api/${id}/revoke`}>
      <p>The key and all keys that it created stop working within five seconds. This cannot be undone.</p>
      <button class="danger">Revoke the key</button>
    </Panel>
  </div>
);
