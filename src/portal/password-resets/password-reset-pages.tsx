import type { VNode } from 'preact';
import type { EndedCredentials } from '../../modules/identity';
import { Field, Form } from '../frame/form';
import { NewPasswordField } from '../frame/new-password-field';

interface NewPasswordProps {
  readonly token: string;
  readonly email: string;
}

export const NewPasswordPage = ({ token, email }: NewPasswordProps): VNode => (
  <section class="card narrow">
    <h1>Set a new password</h1>
    <p>
      For <strong>{email}</strong>. All sessions end.
    </p>
    <Form action={`/password-resets/${token}`}>
      <NewPasswordField label="New password" email={email} autofocus />
      <button class="primary">Set the password</button>
    </Form>
  </section>
);

const ACCESS_OF = {
  proved: 'It ended these, because somebody else may have made them before this address was proved to be yours:',
  stated: 'It ended these:',
  handed_link: 'It ended these, because the link came from another person:',
  new_password: 'These still work. After the sign-in, keep or end each of them:',
} as const;

export const PasswordSetPage = ({ ended, ended: { keys, identities = [] } }: { ended: EndedCredentials }): VNode => (
  <section class="card narrow">
    <h1>The password was set</h1>
    <p>
      All sessions were ended.{' '}
      {ended.hadSecondFactor
        ? 'The second factor was removed, because it was set up before this address was proved to be yours.'
        : 'Your second factor is still needed, if you have set one up.'}
    </p>
    {keys.length + identities.length > 0 && (
      <>
        <p>{ACCESS_OF[ended.reason]}</p>
        <ul>
          {keys.map((label, index) => (
            <li key={index}>
              the API key <bdi>{label}</bdi>
            </li>
          ))}
          {identities.map((issuer, index) => (
            <li key={index} class="wrap">
              the link to the identity provider <bdi>{issuer}</bdi>
            </li>
          ))}
        </ul>
      </>
    )}
    <p>
      <a href="/sign-in">Sign in</a>
    </p>
  </section>
);

export const ForgottenPasswordPage = ({ isMailed }: { isMailed: boolean }): VNode => (
  <section class="card narrow">
    <h1>Forgotten password</h1>
    {isMailed ? (
      <Form action="/forgotten-password">
        <p>We send you a link with which you set a new password.</p>
        <Field
          name="email"
          label="E-mail address"
          input={{ type: 'email', autocomplete: 'username', autofocus: true }}
        />
        <button class="primary">Send the link</button>
      </Form>
    ) : (
      <p>
        This service sends no mail. An owner of your organization can create a link for you, under Settings, Members. If
        you belong to several organizations, ask the operator of the service.
      </p>
    )}
    <p>
      <a href="/sign-in">Back to the sign-in</a>
    </p>
  </section>
);

export const LinkSentPage = ({ email }: { email: string }): VNode => (
  <section class="card narrow">
    <h1>Look into your mail</h1>
    <p>
      If there is a user with the address <strong>{email}</strong>, a link arrives within a few minutes. It works once,
      within an hour.
    </p>
    <p>
      <a href="/sign-in">Back to the sign-in</a>
    </p>
  </section>
);
