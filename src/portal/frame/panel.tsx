import type { ComponentChildren, VNode } from 'preact';
import { Form, useRefusal } from './form';

interface PanelProps {
  /** For links that open it. */
  readonly id?: string;
  readonly label: string;
  /** What else a screen reader says, if several panels of a page have the same label. */
  readonly of?: string;
  readonly kind?: 'primary';
  readonly open?: boolean;
  /** Of the form whose fields are in the panel. */
  readonly action?: string;
  readonly children: ComponentChildren;
}

/** A form behind a button. It opens without scripts, so it also asks for confirmation without them. */
export const Panel = ({ id, label, of, kind, open = false, action, children }: PanelProps): VNode => (
  <details id={id} class="panel" open={open || useRefusal(action) !== undefined}>
    <summary class={kind === 'primary' ? 'primary' : undefined}>
      {label}
      {of !== undefined && <span class="visually-hidden"> {of}</span>}
    </summary>
    {action === undefined ? children : <Form action={action}>{children}</Form>}
  </details>
);
