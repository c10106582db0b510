import type { VNode } from 'preact';
import type { DescribedInvitation } from '../../modules/identity';
import { Field, Form } from '../frame/form';
import { NewPasswordField } from '../frame/new-password-field';
import { Time } from '../frame/time';

interface ShownInvitation {
  readonly token: string;
  readonly invitation: DescribedInvitation;
  /** The address of the signed-in user. */
  readonly signedInAs: string | undefined;
}

export function InvitationPage(shown: ShownInvitation): VNode {
  const { invitation } = shown;
  return (
    <section class="card narrow">
      <h1 class="wrap">Join {invitation.organization}</h1>
      <p>
        You are invited with the role <strong>{invitation.role}</strong>, as <strong>{invitation.email}</strong>. The
        invitation works until <Time at={invitation.expires} />.
      </p>
      <Acceptance {...shown} />
    </section>
  );
}

function Acceptance({ token, invitation, signedInAs }: ShownInvitation): VNode {
  const url = `/invitations/${token}`;
  if (invitation.acceptance === 'new_password') return <ProvingForm url={url} email={invitation.email} />;
  if (signedInAs?.toLowerCase() === invitation.email.toLowerCase())
    return (
      <Form action={`${url}/accept`}>
        <button class="primary">Join</button>
      </Form>
    );
  if (signedInAs !== undefined)
    return (
      <>
        <p>
          You are signed in as {signedInAs}. Sign out, then open the link again
          {invitation.acceptance === 'sign_in' ? ' and sign in as the invited user.' : '.'}
        </p>
        <Form action="/sign-out">
          <button>Sign out</button>
        </Form>
      </>
    );
  if (invitation.acceptance === 'sign_in')
    return (
      <p>
        <a class="button primary" href={`/sign-in?next=${encodeURIComponent(url)}`}>
          Sign in to join
        </a>
      </p>
    );
  return (
    <Form action={`${url}/new-user`}>
      <Field
        name="name"
        label="Your name"
        hint="As reports show it."
        input={{ required: false, maxLength: 200, autocomplete: 'name' }}
      />
      <NewPasswordField label="Password" email={invitation.email} />
      <button class="primary">Create your user and join</button>
    </Form>
  );
}

const ProvingForm = ({ url, email }: { url: string; email: string }): VNode => (
  <Form action={`${url}/new-password`}>
    <p>
      There is a user with this address, and nobody has proved yet that the address is theirs. Set a new password to
      prove it. That ends all that was made for the user before: sessions, API keys and the second factor.
    </p>
    <NewPasswordField label="New password" email={email} />
    <button class="primary">Set the password and join</button>
  </Form>
);
