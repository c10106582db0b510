import type { ComponentChildren, VNode } from 'preact';

interface CardProps {
  /** Of the heading, unique on the page, without `-title`. */
  readonly id: string;
  readonly title: ComponentChildren;
  /** Classes besides `card`. */
  readonly class?: string;
  /** Screen readers read its changes aloud. */
  readonly role?: 'status';
  readonly children: ComponentChildren;
}

/** A part of a page below its heading. */
export const Card = ({ id, title, class: kind, role, children }: CardProps): VNode => (
  <section class={kind === undefined ? 'card' : `card ${kind}`} aria-labelledby={`${id}-title`} role={role}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
);
