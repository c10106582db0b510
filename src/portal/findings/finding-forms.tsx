import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Form, TextArea } from '../frame/form';
import { findingUrl, mentionsUrl } from '../urls';
import { COMMENT_HINT } from './comment';
import type { FindingView } from './finding-reader';

/** Outside of the part that is replaced while a retest runs, so that no text is lost. */
export function CommentForm({ view: { organizationId, finding, mayTest } }: { view: FindingView }): VNode | null {
  if (!mayTest) return null;
  return (
    <Card id="new-comment" title="Write a comment">
      <Form action={`${findingUrl(organizationId, finding.id)}/comments`}>
        <TextArea
          id="new-comment"
          name="comment"
          label="Comment"
          isLabelHidden
          hint={COMMENT_HINT}
          mentions={mentionsUrl(organizationId)}
          maxLength={2000}
          required
        />
        <button>Comment</button>
      </Form>
    </Card>
  );
}
