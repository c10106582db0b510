import type { ComponentChildren, VNode } from 'preact';
import { Card } from './card';
import { Form } from './form';
import { Panel } from './panel';

interface PictureCardProps {
  /** Its name in the form, and in the sentences of the card: `logo`. */
  readonly name: string;
  readonly title: string;
  readonly alt: string;
  /** It is read, set and, below it, deleted there. */
  readonly url: string;
  readonly exists: boolean;
  readonly mayChange: boolean;
  /** What deleting it means. */
  readonly onDelete: string;
  readonly children?: ComponentChildren;
}

/** A picture that admins set and delete. */
export function PictureCard({ name, title, alt, url, exists, mayChange, onDelete, children }: PictureCardProps): VNode {
  return (
    <Card id={name} title={title}>
      {children !== undefined && <p>{children}</p>}
      {exists ? <img class="logo" src={url} alt={alt} /> : <p class="muted">There is none.</p>}
      {mayChange && (
        <>
          <Form action={url} encType="multipart/form-data" class="form">
            <div class="field">
              <label for={`${name}-file`}>{exists ? 'Replace it with' : 'File'}</label>
              <input
                type="file"
                id={`${name}-file`}
                name={name}
                required
                accept="image/png,image/jpeg"
                aria-describedby={`${name}-hint`}
              />
              <p class="hint" id={`${name}-hint`}>
                PNG or JPEG, at most 256 KiB, and from 16 to 2,000 pixels wide and high.
              </p>
            </div>
            <button>Set the {name}</button>
          </Form>
          {exists && (
            <Panel label={`Delete the ${name}`} action={`${url}/delete`}>
              <p>{onDelete}</p>
              <button class="danger">Delete the {name}</button>
            </Panel>
          )}
        </>
      )}
    </Card>
  );
}
