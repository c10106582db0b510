import type { VNode } from 'preact';
import { type AssetAccount, LAUNCH_ROLES, presentedRecipe } from '../../modules/accounts';
import { Card } from '../frame/card';
import { Checkbox, Field, Select, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { accountUrl, accountsUrl } from '../urls';
import type { AssetPageView } from './asset-reader';
import { KINDS } from './accounts.requests';

const KIND_LABELS: Readonly<Record<(typeof KINDS)[number], string>> = {
  form: 'Sign-in form of a page',
  basic: 'HTTP Basic',
  header: 'Header',
  cookie: 'Cookie',
  json: 'Requests or steps (JSON)',
};
const KIND_OPTIONS = KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));
const ROLE_OPTIONS = LAUNCH_ROLES.map((value) => ({
  value,
  label: value === 'owner' ? 'Owners' : `${value}s and above`,
}));

/** Why nothing can be tested with it, or when it was last proved. */
export function AccountState({ account }: { account: AssetAccount }): VNode {
  const { stoppedAt, hasSecrets, proof, consentedAt, provedAt, refusedAt, refusal } = account;
  if (stoppedAt !== null) return <strong>Stopped after two failed sign-ins</strong>;
  if (!hasSecrets) return <strong>Secrets are missing</strong>;
  if (proof === null) return <strong>No confirmed proof</strong>;
  if (consentedAt === null) return <span>Signed-in tests are off</span>;
  if (refusedAt !== null && (provedAt === null || refusedAt > provedAt))
    return (
      <span>
        Not proved <Time at={refusedAt} />: {refusal}
      </span>
    );
  return provedAt === null ? <span class="muted">Ready, not used yet</span> : <Proved at={provedAt} />;
}

const Proved = ({ at }: { at: Date }): VNode => (
  <span>
    Proved <Time at={at} />
  </span>
);

/** On the page of the asset. */
export const Accounts = ({
  view: { organizationId, details, accounts, mayDecide },
}: {
  view: AssetPageView;
}): VNode => (
  <Card id="accounts" title="Accounts">
    <p>Tests sign in with these accounts and test the pages behind the sign-in with the permissions of each account.</p>
    {accounts.length > 0 && (
      <Table
        rows={accounts}
        columns={[
          {
            label: 'Account',
            class: 'main',
            dir: 'auto',
            cell: ({ id, name }) => <a href={accountUrl(organizationId, details.asset.id, id)}>{name}</a>,
          },
          { label: 'Role', dir: 'auto', cell: ({ role }) => role },
          { label: 'Session', class: 'wide', cell: (account) => <AccountState account={account} /> },
        ]}
      />
    )}
    {mayDecide && (
      <Panel label="Add an account" action={accountsUrl(organizationId, details.asset.id)}>
        <AccountFields origin={originOf(details.asset.value)} />
        <button>Add the account</button>
      </Panel>
    )}
  </Card>
);

const originOf = (value: string): string => (value.includes('://') ? new URL(value).origin : `https://${value}`);

/** Of an account, or of a new one. */
export function AccountFields({ account, origin = '' }: { account?: AssetAccount; origin?: string }): VNode {
  const { recipe } = account ?? {};
  const isJson = recipe?.kind === 'request' || recipe?.kind === 'steps';
  const userName = recipe !== undefined && 'userName' in recipe ? recipe.userName : '';
  const page = recipe?.kind === 'form' ? recipe.page : '';
  const header = recipe?.kind === 'header' ? recipe.name : 'Authorization';
  const kept = account?.hasSecrets === true ? ' Empty keeps it, unless the sign-in or the origins change.' : '';
  const secret = { type: 'password', autocomplete: 'off', required: false, 'data-unkept': true } as const;
  return (
    <>
      <Field name="name" label="Name" input={{ maxLength: 200, value: account?.name, placeholder: 'customer A' }} />
      <Field
        name="role"
        label="Role"
        hint="What it is in the application."
        input={{ maxLength: 200, value: account?.role }}
      />
      <Select name="kind" label="Signs in with" options={KIND_OPTIONS} value={isJson ? 'json' : recipe?.kind} />
      <Field
        name="page"
        label="Page of the form"
        hint="Its address, for a sign-in form."
        input={{ required: false, value: page, placeholder: `${origin}/login` }}
      />
      <Field name="user_name" label="User name" input={{ required: false, value: userName, autocomplete: 'off' }} />
      <Field name="password" label="Password" hint={`For a form or HTTP Basic.${kept}`} input={secret} />
      <Field
        name="origins"
        label="Origins"
        hint="Scheme, host and port, separated by spaces. Its credentials go nowhere else."
        input={{ value: account?.origins.join(' ') ?? origin }}
      />
      <details>
        <summary>More ways, one-time codes, and who launches</summary>
        <Field name="header" label="Name of the header" input={{ required: false, value: header }} />
        <Field name="value" label="Value of the header or cookie" hint={kept.trim()} input={secret} />
        <Field
          name="expires"
          label="Last day of the header or cookie"
          hint="Admins are notified seven days before."
          input={{ type: 'date', required: false, value: account?.expires ?? '' }}
        />
        <TextArea
          name="own_values"
          label="What belongs to it alone"
          hint="One in each line, such as its e-mail address and a number of an order. Another account that gets one is a finding."
          required={false}
          rows={3}
          value={account?.ownValues.join('\n')}
        />
        <TextArea
          name="sign_in"
          label="Requests or steps, as JSON"
          hint="As docs/accounts.md describes it."
          required={false}
          rows={5}
          value={isJson && recipe !== undefined ? JSON.stringify(presentedRecipe(recipe), null, 2) : ''}
        />
        <Checkbox name="totp" label="It has one-time codes" checked={recipe?.totp !== undefined} />
        <Field name="totp_seed" label="Seed of the codes" hint={`In base32.${kept}`} input={secret} />
        <Select name="launch_role" label="Launched by" options={ROLE_OPTIONS} value={account?.launchRole ?? 'admin'} />
        <Checkbox name="ci_keys" label="Also by keys of pipelines" checked={account?.ciKeys === true} />
      </details>
    </>
  );
}
