import type { VNode } from 'preact';
import type { WaysToConfirm } from '../../modules/identity';
import { Field } from '../frame/form';
import { PasskeyButton } from '../frame/passkey-button';

interface ConfirmationFieldsProps {
  /** Of the fields, unique on the page. */
  readonly id: string;
  readonly ways: WaysToConfirm;
  readonly button: string;
  readonly kind: 'primary' | 'danger';
}

/** What the user enters before a change of the sign-in: the password, and the second factor. */
export const ConfirmationFields = ({ id, ways, button, kind }: ConfirmationFieldsProps): VNode => (
  <>
    {ways.hasPassword && (
      <Field
        name="current"
        id={`${id}-password`}
        label="Current password"
        input={{ type: 'password', autocomplete: 'current-password', maxLength: 1_000 }}
      />
    )}
    {ways.hasPassword && (ways.hasCode || ways.hasPasskey) && (
      <Field
        name="code"
        id={`${id}-code`}
        label={ways.hasCode ? 'Code' : 'Recovery code'}
        hint={`${ways.hasCode ? 'From your authenticator app, or a recovery code.' : ''}${ways.hasPasskey ? ' You can use a passkey instead.' : ''}`.trim()}
        input={{ autocomplete: 'one-time-code', spellcheck: false, maxLength: 100, required: !ways.hasPasskey }}
      />
    )}
    {ways.hasPassword && <button class={kind}>{button}</button>}
    {ways.hasPasskey && <PasskeyButton options={`${PASSKEYS}/confirm`} label="Confirm with a passkey" />}
  </>
);

export const PASSKEYS = '/settings/security/passkeys';
