import type { VNode } from 'preact';
import { dayOf } from '../../kernel/day';
import type { Page, Slice } from '../../kernel/page';
import {
  forbiddenScopes,
  type KeyOfOrganization,
  livesTooLong,
  MAX_SESSION_MINUTES,
  MIN_SESSION_MINUTES,
  type SignInRules,
} from '../../modules/identity';
import { KEY_SCOPES } from '../../platform/api/caller';
import { Card } from '../frame/card';
import { Checkbox, Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { Settings } from '../frame/settings-tabs';
import { type Column, Table } from '../frame/table';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { accessUrl } from '../urls';

interface ShownAccess {
  readonly organizationId: number;
  readonly rules: SignInRules;
  readonly page: Page;
  readonly keys: Slice<KeyOfOrganization>;
  readonly unused: readonly KeyOfOrganization[];
  readonly url: string;
}

const REQUIRED = [
  { value: 'off', label: 'Nothing beyond the password' },
  { value: 'second_factor', label: 'A second factor: an authenticator app or a passkey' },
  { value: 'passkey', label: 'A passkey, used in the session' },
];

export const AccessPage = (shown: ShownAccess): VNode => (
  <Settings current="access">
    <Rules {...shown} />
    {shown.unused.length > 0 && <UnusedKeys {...shown} />}
    <Keys {...shown} />
  </Settings>
);

const Rules = ({ organizationId, rules }: ShownAccess): VNode => (
  <Card id="rules" title="Sign-in, sessions and keys">
    <Form action={accessUrl(organizationId)} class="form">
      <Select name="second_factor" label="A sign-in of a member needs" options={REQUIRED} value={rules.secondFactor} />
      <Field
        name="second_factor_from"
        label="Last day on which members may sign in without it"
        hint="Without a day it is needed at once. API keys are not affected."
        input={{ type: 'date', required: false, value: dayIn(rules.secondFactorFrom) }}
      />
      <Minutes
        name="idle_minutes"
        label="Minutes until an unused session ends"
        hint="12 hours if it is empty. The smallest limit among the organizations of a member counts."
        value={rules.idleMinutes}
      />
      <Minutes
        name="session_minutes"
        label="Minutes until every session ends"
        hint="7 days if it is empty. At most 43,200 (30 days)."
        value={rules.sessionMinutes}
      />
      <Field
        name="key_days"
        label="Longest life of new API keys, in days"
        hint="No limit if it is empty."
        input={{ type: 'number', min: 1, max: 3_650, required: false, value: rules.keyDays ?? '' }}
      />
      <fieldset class="choices">
        <legend>Scopes of new API keys</legend>
        {KEY_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            name={scope}
            checked={rules.allowedScopes === null || rules.allowedScopes.includes(scope)}
            label={<code>{scope}</code>}
          />
        ))}
      </fieldset>
      <Field
        name="keys_end"
        label="Last day of keys that break these rules"
        hint="If it is empty, existing keys stay valid."
        input={{ type: 'date', required: false }}
      />
      <button class="primary">Save</button>
    </Form>
  </Card>
);

interface MinutesProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: number | null;
}

const Minutes = ({ value, ...field }: MinutesProps): VNode => (
  <Field
    {...field}
    input={{ type: 'number', min: MIN_SESSION_MINUTES, max: MAX_SESSION_MINUTES, required: false, value: value ?? '' }}
  />
);

const dayIn = (instant: Date | null): string => (instant === null ? '' : dayOf(instant));

const whoseKeys: readonly Column<KeyOfOrganization>[] = [
  {
    label: 'Label and key id',
    class: 'wide',
    cell: ({ label, accessKey }) => (
      <>
        <strong dir="auto">{label}</strong> <code>{accessKey}</code>
      </>
    ),
  },
  { label: 'Member', class: 'wide', isNamed: true, cell: ({ email }) => email },
  { label: 'Last used', isNamed: true, cell: ({ lastUsed }) => (lastUsed === null ? 'never' : <Time at={lastUsed} />) },
];

const UnusedKeys = ({ organizationId, unused }: ShownAccess): VNode => (
  <Card id="unused" title="Keys that nobody used for 90 days">
    <Table class="block-table" rows={unused} columns={whoseKeys} />
    <Panel
      label={`End ${pluralize(unused.length, 'unused key')}`}
      action={`${accessUrl(organizationId)}/end-unused-keys`}
    >
      <p>Keys that open other organizations too keep opening those.</p>
      <button class="danger">End them in this organization</button>
    </Panel>
  </Card>
);

const Keys = ({ rules, keys, page, url }: ShownAccess): VNode => (
  <section aria-labelledby="keys-title">
    <h2 id="keys-title">API keys of members</h2>
    {keys.items.length === 0 ? (
      <p class="empty">No key of a member opens this organization.</p>
    ) : (
      <Table
        class="block-table"
        rows={keys.items}
        columns={[
          ...whoseKeys,
          { label: 'Scopes', isNamed: true, cell: ({ scopes }) => scopes.join(', ') },
          {
            label: 'Ends',
            isNamed: true,
            cell: ({ ends }) => (ends === null ? 'never' : <Time at={ends} to="day" />),
          },
          { label: 'Rules', isNamed: true, cell: (key) => brokenBy(key, rules) },
        ]}
      />
    )}
    <Pager page={page} slice={keys} url={url} />
  </section>
);

/** Which rules a key breaks. */
function brokenBy(key: KeyOfOrganization, rules: SignInRules): string {
  const scopes = forbiddenScopes(key.scopes, rules);
  const broken = [
    ...(livesTooLong(key, rules) ? [`lives longer than ${pluralize(rules.keyDays ?? 0, 'day')}`] : []),
    ...(scopes.length > 0 ? [`has ${scopes.join(', ')}`] : []),
  ];
  return broken.length === 0 ? 'kept' : `broken: ${broken.join('; ')}`;
}
