import type { VNode } from 'preact';
import { isEditable, isWrittenBy, type StatusTransition, withMarksOf } from '../../modules/findings';
import { Form, TextArea } from '../frame/form';
import { Markdown } from '../frame/markdown';
import { Time } from '../frame/time';
import { useView } from '../frame/view';
import { findingUrl, mentionsUrl } from '../urls';
import type { FindingView } from './finding-reader';

/** Also of the form for a new one. */
export const COMMENT_HINT = 'Markdown. @ and a name or mail address mentions a member of the organization.';

interface CommentProps {
  readonly view: FindingView;
  readonly comment: StatusTransition;
}

/** The text of a comment, which its author may edit for a while. */
export function Comment({
  view: { organizationId, finding, mayTest, mentionable },
  comment: written,
}: CommentProps): VNode {
  const { id, at, actor, html, comment, edited } = written;
  const { caller } = useView();
  const isOwn = caller !== undefined && isWrittenBy({ actorType: actor.type, actorId: actor.id }, caller.actor);
  return (
    <>
      {html === null ? (
        <p class="comment" dir="auto">
          {comment}
        </p>
      ) : (
        <Markdown class="comment" html={withMarksOf(html, mentionable, caller?.facts.userId)} />
      )}
      {edited !== null && (
        <p class="muted">
          edited <Time at={edited} />
        </p>
      )}
      {mayTest && isOwn && isEditable({ created: at }, new Date()) && (
        <details>
          <summary>Edit</summary>
          <Form action={`${findingUrl(organizationId, finding.id)}/comments/${id}`}>
            <TextArea
              id={`edit-${id}`}
              name="comment"
              label="Comment"
              isLabelHidden
              hint={COMMENT_HINT}
              value={comment}
              mentions={mentionsUrl(organizationId)}
              maxLength={2000}
              required
            />
            <button>Save</button>
          </Form>
        </details>
      )}
    </>
  );
}
