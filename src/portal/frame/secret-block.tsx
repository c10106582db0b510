import type { ComponentChildren, VNode } from 'preact';
import { CopyBlock } from './copy-block';

interface SecretBlockProps {
  readonly id: string;
  readonly title: string;
  readonly secret: string;
  readonly children?: ComponentChildren;
}

/** What is shown only once: a secret or a link. */
export const SecretBlock = ({ id, title, secret, children }: SecretBlockProps): VNode => (
  <section class="secret" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <p>This is shown only once. Store it now.</p>
    <CopyBlock id={id} label="Text to copy" text={secret} isSecret />
    {children}
  </section>
);
