import type { VNode } from 'preact';
import type { OwnFactors } from '../../modules/identity';
import { Field, Form } from '../frame/form';
import { PasskeyButton } from '../frame/passkey-button';

interface SignInPageProps {
  readonly next?: string;
  /** Whether there is no user yet. */
  readonly isSetUpNeeded?: boolean;
  /** Whether the installation has an identity provider. */
  readonly hasProvider?: boolean;
}

export const SignInPage = ({ next, isSetUpNeeded = false, hasProvider = false }: SignInPageProps): VNode => (
  <section class="narrow">
    <h1>Sign in to Assay</h1>
    <p class="muted">Findings, and signed proof that they are fixed.</p>
    {isSetUpNeeded && (
      <p>
        This installation has no users. Its operator creates the link for the first one with{' '}
        <code>npm run cli -- create-setup-link</code>.
      </p>
    )}
    <Form action="/sign-in">
      <Next next={next} />
      <Field name="email" label="E-mail address" input={{ type: 'email', autocomplete: 'username', autofocus: true }} />
      <Field name="password" label="Password" input={{ type: 'password', autocomplete: 'current-password' }} />
      <button class="primary">Sign in</button>
    </Form>
    <Form action="/sign-in/passkey">
      <Next next={next} />
      <PasskeyButton options="/sign-in/passkey/options" label="Sign in with a passkey" />
    </Form>
    {hasProvider && (
      <p>
        <a class="button" href={`/sign-in/provider/installation${queryOf(next)}`}>
          Sign in with single sign-on
        </a>
      </p>
    )}
    <p>
      <a href={`/sign-in/organization${queryOf(next)}`}>Sign in with your organization</a>
    </p>
    <p>
      <a href="/forgotten-password">Forgotten password, or none yet</a>
    </p>
  </section>
);

interface SecondStepProps extends OwnFactors {
  readonly next?: string;
}

export const SecondStepPage = ({ next, hasCode, hasPasskey }: SecondStepProps): VNode => (
  <section class="narrow">
    <h1>{hasPasskey ? 'Show that it is you' : 'Enter your code'}</h1>
    {hasPasskey && (
      <Form action="/sign-in/code/passkey">
        <Next next={next} />
        <PasskeyButton options="/sign-in/code/options" label="Use your passkey" kind="primary" />
      </Form>
    )}
    <Form action="/sign-in/code">
      <Next next={next} />
      <Field
        name="code"
        label={hasCode ? 'Code' : 'Recovery code'}
        hint={
          hasCode
            ? 'Six digits from your authenticator app, or one of your recovery codes.'
            : 'If you do not have your passkey: each code works once.'
        }
        input={{ autocomplete: 'one-time-code', autofocus: !hasPasskey, spellcheck: false, maxLength: 100 }}
      />
      <button class={hasPasskey ? undefined : 'primary'}>Sign in</button>
    </Form>
    <p class="muted">
      {hasPasskey
        ? 'No passkey and no code? An owner of your organization, or the operator of the service, can remove them.'
        : 'No phone and no recovery codes? An owner of your organization, or the operator of the service, can turn the codes off.'}
    </p>
    <p>
      <a href="/sign-in">Sign in as another user</a>
    </p>
  </section>
);

const queryOf = (next: string | undefined): string => (next === undefined ? '' : `?next=${encodeURIComponent(next)}`);

export const Next = ({ next }: { next: string | undefined }): VNode | null =>
  next === undefined ? null : <input type="hidden" name="next" value={next} />;
