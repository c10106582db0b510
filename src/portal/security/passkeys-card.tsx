import type { VNode } from 'preact';
import type { Passkey, SecondFactorState, WaysToConfirm } from '../../modules/identity';
import { Card } from '../frame/card';
import { Field, Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { PasskeyButton } from '../frame/passkey-button';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { ConfirmationFields, PASSKEYS } from './confirmation-fields';

interface PasskeysCardProps {
  readonly passkeys: readonly Passkey[];
  readonly ways: WaysToConfirm;
  readonly secondFactor: SecondFactorState;
}

export const PasskeysCard = ({ passkeys, ways, secondFactor }: PasskeysCardProps): VNode => (
  <Card id="passkeys" title="Passkeys">
    <p>
      A passkey is on your phone, your computer or a security key. It signs you in instead of the password, or after it:
      with a passkey, the password alone is not enough.
    </p>
    {passkeys.length === 1 && <p>Add a second passkey on another device, in case you lose this one.</p>}
    {passkeys.length > 0 && (
      <Table
        class="block-table"
        rows={passkeys}
        columns={[
          { label: 'Passkey', class: 'wide', dir: 'auto', cell: ({ name }) => name },
          { label: 'Added', isNamed: true, cell: ({ created }) => <Time at={created} to="day" /> },
          {
            label: 'Last used',
            isNamed: true,
            cell: ({ lastUsed }) => (lastUsed === null ? 'never' : <Time at={lastUsed} />),
          },
          { label: 'Actions', isLabelHidden: true, cell: (passkey) => <PasskeyActions {...{ passkey, ways }} /> },
        ]}
      />
    )}
    <Panel label="Add a passkey" action={`${PASSKEYS}/begin`}>
      {secondFactor.isSoleOwner && (
        <p>
          You own an organization alone. If you lose the passkey, only your recovery codes let you in, which are shown
          when the passkey is added, or the operator’s command <code>npm run cli -- reset-second-factors</code>.
        </p>
      )}
      <ConfirmationFields id="passkey" ways={ways} button="Continue" kind="primary" />
    </Panel>
  </Card>
);

const PasskeyActions = ({
  passkey: { id, name },
  ways,
}: Pick<PasskeysCardProps, 'ways'> & { readonly passkey: Passkey }): VNode => (
  <div class="actions">
    <Panel label="Rename" of={name} action={`${PASSKEYS}/${id}/rename`}>
      <Field name="name" id={`name-${id}`} label="Name" input={{ maxLength: 100, value: name }} />
      <button>Rename the passkey</button>
    </Panel>
    <Panel label="Remove" of={name} action={`${PASSKEYS}/${id}/remove`}>
      <ConfirmationFields id={`remove-${id}`} ways={ways} button="Remove the passkey" kind="danger" />
    </Panel>
  </div>
);

export const NewPasskeyPage = (): VNode => (
  <Settings current="security">
    <Card id="new-passkey" title="Add a passkey">
      <p>Your browser asks where the passkey is to be kept. Other sessions of yours end when it is added.</p>
      <Form action={PASSKEYS} class="form">
        <Field
          name="name"
          label="Name"
          hint="What you recognize it by, such as the name of the phone."
          input={{ maxLength: 100, autofocus: true }}
        />
        <PasskeyButton options={`${PASSKEYS}/new/options`} label="Create the passkey" kind="primary" />
      </Form>
      <p>
        <a href="/settings/security">Cancel</a>
      </p>
    </Card>
  </Settings>
);
