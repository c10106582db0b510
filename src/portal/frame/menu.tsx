import type { ComponentChildren, VNode } from 'preact';

interface MenuProps {
  readonly label: ComponentChildren;
  /** What screen readers say before the label. */
  readonly name?: string;
  /** Besides `dropdown`: `quiet` without a line, `more` without a chevron, `to-right` for the direction in which it opens. */
  readonly class?: string;
  /** For a menu at the foot of the page. */
  readonly opensUpwards?: boolean;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** A button that shows links or fields above the page. Scripts close it when another one opens. */
export const Menu = ({
  label,
  name,
  class: kind = '',
  opensUpwards = false,
  isOpen = false,
  children,
}: MenuProps): VNode => (
  <details class={`dropdown ${opensUpwards ? 'upwards' : kind}`.trim()} open={isOpen}>
    <summary dir="auto" title={name}>
      {name !== undefined && <span class="visually-hidden">{name} </span>}
      {label}
    </summary>
    <div class="dropdown-body">{children}</div>
  </details>
);

/** The entries of a menu: links, and forms of one button. */
export const Entries = ({ children }: { children: ComponentChildren }): VNode => <ul class="entries">{children}</ul>;
