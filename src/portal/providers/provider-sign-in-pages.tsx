import type { VNode } from 'preact';
import { Field, Form } from '../frame/form';
import { Next } from '../sign-in/sign-in-page';

export const AddressPage = ({ next }: { next: string | undefined }): VNode => (
  <section class="narrow">
    <h1>Sign in with your organization</h1>
    <p class="muted">For organizations that have set up an identity provider, and have verified their domain.</p>
    <Form action="/sign-in/organization">
      <Next next={next} />
      <Field
        name="email"
        label="E-mail address"
        input={{ type: 'email', autocomplete: 'username', autofocus: true, maxLength: 254 }}
      />
      <button class="primary">Continue</button>
    </Form>
    <p>
      <a href="/sign-in">Sign in with a password</a>
    </p>
  </section>
);

interface ProviderLink {
  /** At the provider. */
  readonly url: string;
  readonly issuer: string;
}

const ToProvider = ({ url }: Pick<ProviderLink, 'url'>): VNode => (
  <p>
    <a class="button primary" href={url}>
      Continue to <bdi>{new URL(url).host}</bdi>
    </a>
  </p>
);

export const ContinuePage = ({ url, issuer }: ProviderLink): VNode => (
  <section class="narrow">
    <h1>Sign in with your organization</h1>
    <p class="wrap">
      You sign in at <bdi>{issuer}</bdi>, and come back here. The link works for ten minutes.
    </p>
    <ToProvider url={url} />
    <p>
      <a href="/sign-in">Sign in with a password</a>
    </p>
  </section>
);

export const ConsentPage = ({ url, issuer, name }: ProviderLink & { readonly name: string | null }): VNode => (
  <section class="narrow">
    <p class="wrap">
      <bdi>{issuer}</bdi> can then sign you in to {name === null ? 'all your organizations' : <bdi>{name}</bdi>}
      {name === null ? '.' : ', and to no other organization.'} You can unlink it at any time.
    </p>
    <ToProvider url={url} />
    <p>
      <a href="/settings/providers">Cancel</a>
    </p>
  </section>
);
