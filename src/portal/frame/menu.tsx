import type { ComponentChildren, VNode } from 'preact';
interface MenuProps {
  readonly label: string;
  /** For a menu at the foot of the page. */
  readonly opensUpwards?: boolean;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** A button that shows links or fields above the page. Scripts close it when another one opens. */
export const Menu = ({ label, opensUpwards = false, isOpen = false, children }: MenuProps): VNode => (
  <details class={opensUpwards ? 'dropdown upwards' : 'dropdown'} open={isOpen}>
    <summary dir="auto">{label}</summary>
    <div class="dropdown-body">{children}</div>
  </details>
);
