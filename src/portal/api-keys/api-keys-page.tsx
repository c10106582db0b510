import { addDays, dayOf } from '../../kernel/day';
import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { KeyOfUser, KeyWithSecret } from '../../modules/identity';
import type { KeyScope } from '../../platform/api/caller';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Checkbox, Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { SecretBlock } from '../frame/secret-block';
import { Settings } from '../frame/settings-tabs';
import { LastUse, Time } from '../frame/time';
import type { KeysQuery } from './api-keys.requests';
import { isOver, KeyTable, Opens } from './key-table';

interface ShownKeys {
  readonly page: Page;
  readonly slice: Slice<KeyOfUser>;
  readonly organizations: readonly { readonly id: number; readonly name: string }[];
  readonly isIntegrator: boolean;
  /** The fewest scopes that each key needs, if they are fewer than it has. */
  readonly suggestions: ReadonlyMap<number, readonly KeyScope[] | undefined>;
  readonly created?: KeyWithSecret;
  readonly query: KeysQuery;
  readonly url: string;
  readonly apiUrl: string;
}

const SCOPES: readonly (readonly [KeyScope, string])[] = [
  ['read', 'every GET: read findings, assets, reports and the rest'],
  ['ci', 'what a pipeline needs: start scans, and read their results'],
  ['write', 'everything that your role allows, also reading and creating keys'],
];

const PRESET_DAYS = 90;

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
    <CopyBlock id="login" label="For assay login" text={`${key.accessKey}:${secret}`} />
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
            <Opens apiKey={key} organizations={organizations} />, created <Time at={key.created} /> with{' '}
            <bdi>{key.userAgent ?? 'an unknown browser'}</bdi>, <LastUse of={key} />.{' '}
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

function NewKey({ organizations, isIntegrator, query: { scope: wanted, label, organization } }: ShownKeys): VNode {
  const preset = addDays(dayOf(new Date()), PRESET_DAYS);
  const choices = organizations.map(({ id, name }) => ({ value: id, label: name }));
  const all = isIntegrator
    ? 'All of the integrator, also later ones'
    : `All that you are in today: ${organizations.map(({ name }) => name).join(', ')}`;
  return (
    <Panel id="new" label="New key" kind="primary" open={wanted !== undefined} action="/settings/api">
      <Field
        name="label"
        label="Label"
        hint="What uses the key, such as the pipeline of the shop."
        input={{ maxLength: 200, value: label }}
      />
      <fieldset class="choices">
        <legend>Scopes</legend>
        {SCOPES.map(([scope, allows]) => (
          <Checkbox
            key={scope}
            name={scope}
            checked={scope === (wanted ?? 'read')}
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
        value={choices.find(({ value }) => value === organization)?.value ?? choices[0]?.value}
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
