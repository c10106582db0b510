import type { VNode } from 'preact';
import { type FindingAttachment, isWrittenBy, MAX_ATTACHMENTS } from '../../modules/findings';
import { actorName } from '../frame/actor-name';
import { Card } from '../frame/card';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { useView } from '../frame/view';
import { sizeText } from '../frame/words';
import { attachmentsUrl } from '../urls';
import type { FindingView } from './finding-reader';

interface AttachmentsProps {
  readonly view: FindingView;
  /** The oldest first. */
  readonly attachments: readonly FindingAttachment[];
}

/** Files of people about the finding. Only pictures are shown. */
export function Attachments({ view, attachments }: AttachmentsProps): VNode | null {
  const { organizationId, finding, people, mayTest, mayDecide } = view;
  const actor = useView().caller?.actor;
  const url = attachmentsUrl(organizationId, finding.id);
  const mayAdd = mayTest && finding.mergedInto === null && attachments.length < MAX_ATTACHMENTS;
  if (attachments.length === 0 && !mayAdd) return null;
  return (
    <Card id="attachments" title="Files">
      <ul class="plain attachments">
        {attachments.map(({ id, name, size, mediaType, actorType, actorId, created }) => (
          <li key={id}>
            {mediaType !== null && (
              <a href={`${url}/${id}/picture`}>
                <img src={`${url}/${id}/picture`} alt={name} loading="lazy" />
              </a>
            )}
            <div>
              <a href={`${url}/${id}`} download>
                <bdi>{name}</bdi>
              </a>{' '}
              <span class="muted">
                {sizeText(size)}, <bdi>{actorName(actorType, actorId, people)}</bdi>, <Time at={created} />
              </span>
              {mayTest && (mayDecide || (actor !== undefined && isWrittenBy({ actorType, actorId }, actor))) && (
                <Panel label="Delete" of={name} action={`${url}/${id}/delete`}>
                  <p>The file is deleted for everyone.</p>
                  <button class="danger">Delete the file</button>
                </Panel>
              )}
            </div>
          </li>
        ))}
      </ul>
      {mayAdd && (
        <Form action={url} encType="multipart/form-data" class="inline-form">
          <div class="field">
            <label for="file">Attach a file</label>
            <input type="file" id="file" name="file" required aria-describedby="file-hint" />
            <p class="hint" id="file-hint">
              At most 10 MiB. PNG and JPEG are shown, others are only downloaded. Reports do not contain them.
            </p>
          </div>
          <button>Attach</button>
        </Form>
      )}
    </Card>
  );
}
