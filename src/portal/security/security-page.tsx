import { encode } from 'uqr';
import type { VNode } from 'preact';
import type { Enrollment, Passkey, SecondFactorState, WaysToConfirm } from '../../modules/identity';
import { Card } from '../frame/card';
import { Field, Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { SecretBlock } from '../frame/secret-block';
import { Settings } from '../frame/settings-tabs';
import { pluralize } from '../frame/words';
import { ConfirmationFields } from './confirmation-fields';
import { PasskeysCard } from './passkeys-card';

export interface ShownSecurity {
  readonly email: string;
  readonly name: string | null;
  readonly secondFactor: SecondFactorState;
  readonly passkeys: readonly Passkey[];
  /** What changes of the sign-in ask for. */
  readonly ways: WaysToConfirm;
  /** What was changed. */
  readonly success?: string;
  /** Shown only once. */
  readonly recoveryCodes?: readonly string[];
}

export const SecurityPage = (shown: ShownSecurity): VNode => (
  <Settings current="security">
    {shown.success !== undefined && (
      <p class="success" role="status">
        {shown.success}
      </p>
    )}
    {shown.recoveryCodes !== undefined && shown.recoveryCodes.length > 0 && (
      <SecretBlock id="recovery-codes" title="Your recovery codes" secret={shown.recoveryCodes.join('\n')}>
        <p>
          Each works once, after the password, instead of a passkey or a code of the app. Keep them where you find them
          without your phone, such as in a password manager.
        </p>
      </SecretBlock>
    )}
    <NameSection {...shown} />
    <PasswordSection {...shown} />
    <PasskeysCard {...shown} />
    <SecondFactorSection {...shown} />
    {(shown.ways.hasCode || shown.ways.hasPasskey) && <RecoveryCodesSection {...shown} />}
    <Card id="providers" title="Identity providers">
      <a href="/settings/providers">Linked providers</a>
    </Card>
  </Settings>
);

const NameSection = (shown: ShownSecurity): VNode => (
  <Card id="name" title="Name">
    <Form action="/settings/security/name" class="form">
      <Field
        name="name"
        label="Name"
        hint={`As reports and the history of findings show it. Without one, a name is made from ${shown.email}.`}
        input={{ required: false, maxLength: 200, value: shown.name ?? '', autocomplete: 'name' }}
      />
      <button>Change the name</button>
    </Form>
  </Card>
);

const PasswordSection = (shown: ShownSecurity): VNode => (
  <Card id="password" title="Password">
    <Form action="/settings/security/password" class="form">
      <input type="hidden" name="email" value={shown.email} autocomplete="username" />
      <Field
        name="current"
        label="Current password"
        input={{ type: 'password', autocomplete: 'current-password', maxLength: 1_000 }}
      />
      <Field
        name="password"
        label="New password"
        hint="At least 12 characters. All other sessions of yours end."
        input={{ type: 'password', autocomplete: 'new-password', minLength: 12, maxLength: 1_000 }}
      />
      <button>Change the password</button>
    </Form>
  </Card>
);

const SecondFactorSection = (shown: ShownSecurity): VNode => (
  <Card id="totp" title="Authenticator app">
    {shown.secondFactor.isOn ? <TurnedOn {...shown} /> : <TurnedOff {...shown} />}
  </Card>
);

const TurnedOff = ({ ways }: ShownSecurity): VNode => (
  <>
    <p>
      Off. With an authenticator app, a sign-in also needs a code from your phone, so that a stolen password is not
      enough.
    </p>
    <Panel label="Set up an app" action="/settings/security/totp/begin">
      <ConfirmationFields id="begin" ways={ways} button="Continue" kind="primary" />
    </Panel>
  </>
);

const TurnedOn = (shown: ShownSecurity): VNode => (
  <>
    <p>On. A sign-in needs a code of your app {shown.ways.hasPasskey ? 'or a passkey ' : ''}after the password.</p>
    <Panel label="Turn off" action="/settings/security/totp/off">
      <ConfirmationFields id="off" ways={shown.ways} button="Turn off the app" kind="danger" />
    </Panel>
  </>
);

const RecoveryCodesSection = ({ secondFactor, ways }: ShownSecurity): VNode => (
  <Card id="recovery" title="Recovery codes">
    <p>
      You have {pluralize(secondFactor.recoveryCodes, 'unused recovery code')}. Each works once, after the password,
      when you have lost your phone or passkey.
    </p>
    <Panel label="Create new recovery codes" action="/settings/security/totp/codes">
      <p>The earlier codes stop working.</p>
      <ConfirmationFields id="codes" ways={ways} button="Create new recovery codes" kind="primary" />
    </Panel>
  </Card>
);

export const EnrollmentPage = ({ enrollment: { secret, uri } }: { enrollment: Enrollment }): VNode => (
  <Settings current="security">
    <Card id="enroll" title="Set up your authenticator app">
      <p>Scan this code with the app on your phone. Nothing changes until you have entered a first code below.</p>
      <QrCode text={uri} label="QR code for the authenticator app; the key below it is the same" />
      <p>
        Or enter this key: <code>{secret.match(/.{1,4}/g)?.join(' ')}</code> (
        <a href={uri}>open it in an app on this device</a>)
      </p>
      <Form action="/settings/security/totp/confirm" class="form">
        <Field
          name="code"
          label="Code of the app"
          input={{ autocomplete: 'one-time-code', inputMode: 'numeric', maxLength: 20 }}
        />
        <button class="primary">Turn on</button>
      </Form>
      <p>
        <a href="/settings/security">Cancel</a>
      </p>
    </Card>
  </Settings>
);

/** Dark on white in both color schemes, because cameras expect that. */
function QrCode({ text, label }: { text: string; label: string }): VNode {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
