import type { ComponentChildren, VNode } from 'preact';

/** One entry of a description list. */
export const Fact = ({ label, children }: { label: string; children: ComponentChildren }): VNode => (
  <div>
    <dt>{label}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);
