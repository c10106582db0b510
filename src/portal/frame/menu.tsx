import type { ComponentChildren, VNode } from 'preact';
import { useRefusal } from './form';

interface MenuProps {
  readonly label: string;
  /** For a menu at the foot of the page. */
  readonly opensUpwards?: boolean;
  /** Of a form in the menu, which opens if the form was refused. */
  readonly action?: string;
  readonly children: ComponentChildren;
}

/** A button that shows links or fields above the page. Scripts close it when another one opens. */
export const Menu = ({ label, opensUpwards = false, action, children }: MenuProps): VNode => (
  <details class={opensUpwards ? 'dropdown upwards' : 'dropdown'} open={useRefusal(action) !== undefined}>
    <summary dir="auto">{label}</summary>
    <div class="dropdown-body">{children}</div>
  </details>
);
