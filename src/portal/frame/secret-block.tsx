import type { ComponentChildren, VNode } from 'preact';

interface SecretBlockProps {
  readonly id: string;
  readonly title: string;
  readonly secret: string;
  readonly children?: ComponentChildren;
}

/** What is shown only once: a secret or a link. With scripts, the page asks before it is left without a copy. */
export const SecretBlock = ({ id, title, secret, children }: SecretBlockProps): VNode => (
  <section class="secret" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <p>This is shown only once. Store it now.</p>
    <pre id={id} tabIndex={0} data-secret>
      {secret}
    </pre>
    <button type="button" class="primary compact" data-copy={id} hidden>
      Copy
    </button>
    {children}
  </section>
);
