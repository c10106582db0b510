import type { VNode } from 'preact';
import { Field, Form } from '../frame/form';

export const SetupPage = ({ token }: { token: string }): VNode => (
  <section class="card narrow">
    <h1>Set up Assay</h1>
    <p>Create the first organization and its owner, who can then invite others.</p>
    <Form action={`/setup/${token}`}>
      <Field
        name="organization"
        label="Organization"
        input={{ maxLength: 200, autocomplete: 'organization', autofocus: true }}
      />
      <Field
        name="name"
        label="Your name"
        hint="As reports show it."
        input={{ required: false, maxLength: 200, autocomplete: 'name' }}
      />
      <Field
        name="email"
        label="Your e-mail address"
        input={{ type: 'email', maxLength: 254, autocomplete: 'username' }}
      />
      <Field
        name="password"
        label="Password"
        hint="At least 12 characters."
        input={{ type: 'password', autocomplete: 'new-password', minLength: 12, maxLength: 1_000 }}
      />
      <button class="primary">Create the organization</button>
    </Form>
  </section>
);
