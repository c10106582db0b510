import type { VNode } from 'preact';
import { Field, Form, FormError } from '../frame/form';

interface SignInPageProps {
  readonly email?: string;
  readonly next?: string;
  readonly error?: string;
}

export const SignInPage = ({ email, next, error }: SignInPageProps): VNode => (
  <section class="card narrow">
    <h1>Sign in to Assay</h1>
    {error !== undefined && <FormError>{error}</FormError>}
    <Form action="/sign-in">
      {next !== undefined && <input type="hidden" name="next" value={next} />}
      <Field
        name="email"
        label="E-mail address"
        input={{ type: 'email', value: email, autocomplete: 'username', autofocus: true }}
      />
      <Field name="password" label="Password" input={{ type: 'password', autocomplete: 'current-password' }} />
      <button class="primary">Sign in</button>
    </Form>
    <p class="muted">No password yet? An owner of your organization can send you a link.</p>
  </section>
);
