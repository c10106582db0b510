import type { ComponentChildren, VNode } from 'preact';

interface CardProps {
  /** Of the heading, unique on the page, without `-title`. */
  readonly id: string;
  readonly title: ComponentChildren;
  /** Beside `card`. */
  readonly class?: string;
  /** What changes in it is read aloud by screen readers. */
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
