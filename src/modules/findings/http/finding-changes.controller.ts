import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { FindingChangesService } from '../changes/finding-changes.service';
import { FindingTextsService } from '../changes/finding-texts.service';
import { editOf } from './finding-edit.requests';
import { findingEditsExample, FindingEditsResponse, presentEdits } from './finding-edits.responses';
import { FindingCommentsService } from '../changes/finding-comments.service';
import { PathCommentId } from './path-comment-id';
import { FindingTransitionResponse, presentTransition } from './finding-history.responses';
import { ChangeFindingRequest, CommentRequest, NewCommentRequest } from './finding.requests';
import { FindingListResponse, findingExample, presentFinding } from './finding.responses';

const commentExample = {
  id: '4711',
  type: 'comment',
  status: 1,
  previous_status: 1,
  actor: { type: 'user', id: '12' },
  comment: 'The patch is in the **next** release, @ana.silva.',
  justification: null,
  changes: [],
  created: '2026-01-31T12:00:00.000Z',
  decided_at: null,
  edited: null,
  by_agent: false,
};

@Controller()
export class FindingChangesController {
  constructor(
    private readonly findings: FindingChangesService,
    private readonly comments: FindingCommentsService,
    private readonly texts: FindingTextsService,
  ) {}

  @Operation('GET /v1/findings/{finding_id}/edits', {
    number: 'addition',
    id: 'getFindingEdits',
    tag: 'Findings',
    summary: 'Read the texts that people wrote about a finding',
    description:
      'How to fix it, the evidence that a person pasted, and what the check or the file says of each pinned field.',
    role: 'viewer',
    success: { status: 200, description: 'The texts.', body: FindingEditsResponse, example: findingEditsExample },
  })
  async edits(@CurrentCaller() caller: Caller, @PathId('finding_id') id: number): Promise<FindingEditsResponse> {
    return presentEdits(await this.texts.get(caller.scope, id));
  }

  @Operation('PATCH /v1/findings/{finding_id}/', {
    number: 'addition',
    id: 'changeFinding',
    tag: 'Findings',
    summary: 'Change what a finding says, its assignee, due date, labels and references, and what its check may do',
    description:
      'Fields that are absent stay as they are. Title, description and severity of a finding that a check or a file has found are pinned when they are changed: scans and imports then update only what `GET …/edits` returns as `stated`. Only an admin may lower its severity or score, with a `reason`; jobs and reports count the higher of both. The history shows each change. A user who is not a member of the organization returns 422. Only an admin may change `allow_unsafe`; if the check of the finding changes nothing on the target, setting it returns 422.',
    role: 'member',
    body: { example: { assignee_id: 12, due_date: '2026-05-01', labels: ['shop', 'pci'] } },
    ifMatch: 'getFinding',
    success: {
      status: 200,
      description: 'A list with the finding.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'finding.change', resource: 'finding', id: 'finding_id' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Body() body: ChangeFindingRequest,
  ): Promise<FindingListResponse> {
    const { assignee_id: assigneeId, due_date: dueDate, labels, references, allow_unsafe: allowUnsafe } = body;
    const change = { assigneeId, dueDate, labels, references, allowUnsafe, edit: editOf(body) };
    return { findings: [presentFinding(await this.findings.change(caller, id, change))] };
  }

  @Operation('POST /v1/findings/{finding_id}/comments/', {
    number: 'addition',
    id: 'commentFinding',
    tag: 'Findings',
    summary: 'Comment on a finding',
    description:
      'In Markdown. It becomes part of the history of the finding. `@` and the name, the mail address or its first part mentions a member, who gets a mail about it unless that is turned off.',
    role: 'member',
    body: { example: { comment: 'The patch is in the next release.' } },
    success: {
      status: 201,
      description: 'The entry of the history.',
      body: FindingTransitionResponse,
      example: commentExample,
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'finding.comment', resource: 'finding', id: 'finding_id' },
  })
  async comment(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Body() { comment, by_agent: byAgent }: NewCommentRequest,
  ): Promise<FindingTransitionResponse> {
    return presentTransition(await this.comments.comment(caller, id, comment, byAgent));
  }

  @Operation('PATCH /v1/findings/{finding_id}/comments/{comment_id}/', {
    number: 'addition',
    id: 'editComment',
    tag: 'Findings',
    summary: 'Edit a comment',
    description:
      'Only the author can edit it, for 15 minutes. Members who are mentioned only in the new text get no mail.',
    role: 'member',
    body: { example: { comment: 'The patch is in the release after the next.' } },
    success: {
      status: 200,
      description: 'The entry of the history.',
      body: FindingTransitionResponse,
      example: { ...commentExample, edited: '2026-01-31T12:05:00.000Z' },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'finding.comment_edit', resource: 'finding', id: 'finding_id' },
  })
  async edit(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @PathCommentId('comment_id') commentId: string,
    @Body() { comment }: CommentRequest,
  ): Promise<FindingTransitionResponse> {
    return presentTransition(await this.comments.edit(caller, id, commentId, comment));
  }
}
