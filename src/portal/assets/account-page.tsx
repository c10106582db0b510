import type { VNode } from 'preact';
import { type AssetAccount } from '../../modules/accounts';
import type { Asset } from '../../modules/assets';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form, Select, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { accountUrl, assetUrl } from '../urls';
import { RecordedSignIn } from './recorded-sign-in';
import { AccountFields, AccountState } from './accounts';

interface AccountView {
  readonly organizationId: number;
  readonly asset: Asset;
  readonly account: AssetAccount;
  /** The other ones of the asset. */
  readonly others: readonly AssetAccount[];
  readonly mayDecide: boolean;
  /** Whether a sign-in is under way. */
  readonly isRunning: boolean;
}

export const AccountPage = ({ view }: { view: AccountView }): VNode => (
  <div class="columns">
    <div>
      <SignIn view={view} />
      {view.mayDecide && <Proposals view={view} />}
      {view.mayDecide && !view.isRunning && <RecordedSignIn account={view.account} base={base(view)} />}
      {view.mayDecide && <Pages view={view} />}
      <Relations view={view} />
    </div>
    <aside>
      <Facts view={view} />
      {view.mayDecide && <Decisions view={view} />}
    </aside>
  </div>
);

const base = ({ organizationId, asset, account }: AccountView): string =>
  accountUrl(organizationId, asset.id, account.id);

function Facts({ view: { organizationId, asset, account } }: { view: AccountView }): VNode {
  const { role, origins, expires, proof, consentedAt, consentedBy, launchRole, ciKeys } = account;
  return (
    <Card id="facts" title="Details">
      <dl class="facts">
        <Fact label="Asset">
          <a href={assetUrl(organizationId, asset.id)}>{asset.value}</a>
        </Fact>
        <Fact label="Session">
          <AccountState account={account} />
        </Fact>
        <Fact label="Role">{role}</Fact>
        <Fact label="Origins">{origins.join(', ')}</Fact>
        {expires !== null && <Fact label="Last day">{expires}</Fact>}
        <Fact label="Proof">{proof === null ? 'none' : `“${proof.text}” is only ${proof.isOnly} in ${proof.url}`}</Fact>
        <Fact label="Signed-in tests">
          {consentedAt === null ? (
            'Off'
          ) : (
            <>
              Allowed by {consentedBy} <Time at={consentedAt} to="day" />
            </>
          )}
        </Fact>
        <Fact label="Launched by">
          {launchRole}
          {launchRole === 'owner' ? 's' : 's and above'}
          {ciKeys && ', and keys of pipelines'}
        </Fact>
      </dl>
    </Card>
  );
}

function SignIn({ view }: { view: AccountView }): VNode {
  const { account, mayDecide, isRunning } = view;
  const { signInReport: report, signInStarted: started, signInError: error } = account;
  return (
    <Card id="sign-in" title="Sign in now">
      {isRunning && <p role="status">It signs in. This page shows the steps when it has ended.</p>}
      {!isRunning && started === null && <p class="muted">Nobody has tried it yet.</p>}
      {error !== null && <p class="error">{error}</p>}
      {report !== null && (
        <>
          <p>
            <strong>{RESULTS[report.result]}</strong> {started !== null && <Time at={started} />} {report.reason}
          </p>
          <Table
            rows={report.steps}
            columns={[
              { label: 'Request', class: 'main', cell: ({ request }) => <code>{request}</code> },
              { label: 'Status', cell: ({ status }) => status ?? 'none' },
              { label: 'Recognised', class: 'wide', dir: 'auto', cell: ({ recognised }) => recognised },
            ]}
          />
        </>
      )}
      {mayDecide && !isRunning && account.stoppedAt === null && (
        <Form action={`${base(view)}/sign-in`}>
          <button class="primary">Sign in now</button>
        </Form>
      )}
    </Card>
  );
}

const RESULTS = {
  signed_in: 'Signed in.',
  failed: 'Not signed in.',
  not_possible: 'No credentials were sent.',
} as const;

/** The text that is there only with the session, or only without it. */
function Proposals({ view }: { view: AccountView }): VNode | null {
  const { proposals = [] } = view.account.signInReport ?? {};
  if (proposals.length === 0) return null;
  return (
    <Card id="proofs" title="What proves that it is signed in">
      <p>Before a test and during it, this is looked for. Confirm what only a signed-in user sees.</p>
      <Table
        rows={proposals}
        columns={[
          { label: 'Proof', class: 'main wide', dir: 'auto', cell: ({ reason }) => reason },
          {
            label: 'Action',
            isLabelHidden: true,
            cell: ({ proof: { url, text, isOnly } }) => (
              <Form action={`${base(view)}/proof`}>
                <input type="hidden" name="url" value={url} />
                <input type="hidden" name="text" value={text} />
                <input type="hidden" name="only" value={isOnly} />
                <button aria-label={`Confirm ${text}`}>Confirm</button>
              </Form>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Pages({ view: { account } }: { view: AccountView }): VNode | null {
  const { pagesIn = [], pagesOut = [] } = account.signInReport ?? {};
  if (pagesIn.length === 0) return null;
  const rows = pagesIn.map((seen, at) => ({ seen, other: pagesOut[at] }));
  return (
    <Card id="pages" title="Pages with the session and without it">
      <Table
        rows={rows}
        columns={[
          { label: 'Page', class: 'main', cell: ({ seen }) => <code>{seen.url}</code> },
          { label: 'Signed in', class: 'wide', dir: 'auto', cell: ({ seen }) => `${seen.status} ${seen.text}` },
          {
            label: 'Signed out',
            class: 'wide',
            dir: 'auto',
            cell: ({ other }) => (other === undefined ? '' : `${other.status} ${other.text}`),
          },
        ]}
      />
    </Card>
  );
}

const RELATIONS = { equal: 'Equals that share nothing else', above: 'This account is above it' } as const;

/** Whose pages jobs compare with those of this account. */
function Relations({ view }: { view: AccountView }): VNode | null {
  const { account, others, mayDecide } = view;
  if (others.length === 0) return null;
  const nameOf = (id: number): string => others.find((one) => one.id === id)?.name ?? `account ${id}`;
  return (
    <Card id="relations" title="Who may see what">
      <p>A job with both accounts requests as each of them what belongs to the other.</p>
      {account.relations.length > 0 && (
        <Table
          rows={account.relations}
          columns={[
            { label: 'Other account', class: 'main', dir: 'auto', cell: (one) => nameOf(one.account) },
            { label: 'Relation', cell: ({ is }) => RELATIONS[is] },
            { label: 'Shared on purpose', class: 'wide', cell: ({ shared }) => shared.join(', ') },
          ]}
        />
      )}
      {mayDecide && (
        <Panel label="Compare with another account" action={`${base(view)}/relations`}>
          <Select
            name="other"
            label="Other account"
            options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <Select
            name="is"
            label="Relation"
            options={[
              { value: 'equal', label: RELATIONS.equal },
              { value: 'above', label: RELATIONS.above },
              { value: 'none', label: 'Not compared' },
            ]}
          />
          <TextArea
            name="shared"
            label="Paths that both may request"
            hint="One in each line. One that ends with a slash stands for all below it."
            required={false}
            rows={3}
          />
          <button>Save the relation</button>
        </Panel>
      )}
    </Card>
  );
}

function Decisions({ view }: { view: AccountView }): VNode {
  const { account } = view;
  const isAllowed = account.consentedAt !== null;
  return (
    <>
      {account.stoppedAt !== null && (
        <Form action={`${base(view)}/resume`}>
          <p>Two sign-ins in a row failed. Correct the account first, so that the application does not lock it.</p>
          <button>Resume the account</button>
        </Form>
      )}
      <Form action={`${base(view)}/consent`}>
        <input type="hidden" name="signed_in_tests" value={String(!isAllowed)} />
        <button>{isAllowed ? 'Forbid signed-in tests' : 'Allow signed-in tests'}</button>
      </Form>
      <Panel label="Edit the account" action={base(view)}>
        <AccountFields account={account} />
        <button>Save</button>
      </Panel>
      <Panel label="Delete the account" action={`${base(view)}/delete`}>
        <p>With its secrets. Findings that were seen with it stay, and can then not be retested.</p>
        <button class="danger">Delete the account</button>
      </Panel>
    </>
  );
}
