import type { ComponentChildren, VNode } from 'preact';
import { Form, useRefusal } from './form';
import { Icon } from './icon';

interface SheetProps {
  /** Of the element, unique on the page. */
  readonly id: string;
  /** Of the button and of the heading. */
  readonly label: string;
  readonly action: string;
  /** Whether a link leads to the form. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** A button next to the title of a page, and the form that it opens at the right. The form is in the page if it was refused. */
export function Sheet({ id, label, action, isOpen = false, children }: SheetProps): VNode {
  const isInPage = isOpen || useRefusal(action) !== undefined;
  return (
    <>
      {!isInPage && (
        <div>
          <button type="button" class="primary" popovertarget={id}>
            <Icon name="plus" /> {label}
          </button>
        </div>
      )}
      <section class="sheet" id={id} popover={isInPage ? undefined : 'auto'} aria-labelledby={`${id}-title`}>
        <div class="sheet-head">
          <h2 id={`${id}-title`}>{label}</h2>
          {!isInPage && (
            <button type="button" class="quiet" popovertarget={id} popovertargetaction="hide" aria-label="Close">
              <Icon name="close" />
            </button>
          )}
        </div>
        <Form action={action}>{children}</Form>
      </section>
    </>
  );
}
