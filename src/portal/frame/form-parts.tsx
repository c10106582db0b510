import type { ComponentChildren, VNode } from 'preact';

interface OfChoiceProps {
  /** The field of the choice. */
  readonly name: string;
  readonly values: readonly string[];
  readonly children: ComponentChildren;
}

/** Fields that belong to some choices of a form. Without scripts they are always shown, and ignored with other choices. */
export const OfChoice = ({ name, values, children }: OfChoiceProps): VNode => (
  <div data-of-choice={[name, ...values].join(' ')}>{children}</div>
);

interface AdvancedProps {
  readonly label?: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Fields that few people fill in. */
export const Advanced = ({ label = 'Advanced', isOpen, children }: AdvancedProps): VNode => (
  <details class="advanced" open={isOpen}>
    <summary>{label}</summary>
    {children}
  </details>
);
