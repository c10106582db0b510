import type { Mutant } from '../mutant';

const changes = 'test/e2e/finding-changes.spec.ts';
const portal = 'test/e2e/portal-findings.spec.ts';
const views = 'src/modules/findings/data/saved-views.repository.ts';
const findings = 'src/modules/findings/data/findings.repository.ts';

/** Assignees, due dates, labels, comments, saved views and bulk changes. */
export const workingWithFindings: readonly Mutant[] = [
  {
    name: 'a finding is assigned to a user of another organization',
    file: 'src/modules/findings/finding-changes.service.ts',
    search: 'if (assigneeId != null && !(await this.members.lockMembership(organizationId, assigneeId)))',
    replace: 'if (false && assigneeId != null)',
    spec: changes,
    test: 'refuses a user of another organization like one that does not exist',
  },
  {
    name: 'a finding has any number of labels',
    file: 'src/modules/findings/domain/labels.ts',
    search: 'if (all.length <= MAX_LABELS) return all;',
    replace: 'if (all.length >= 0) return all;',
    spec: changes,
    test: '21 labels',
  },
  {
    name: 'a change of the SLA moves due dates that a person has set',
    file: findings,
    search: ' AND NOT f.due_by_hand',
    replace: '',
    spec: changes,
    test: 'moves the due dates of open findings when it changes',
  },
  {
    name: 'the index of labels finds the number of an organization as a label',
    file: findings,
    search: String.raw`array_append(f.labels, E'\\n' || f.organization_id::text) @> ARRAY[${'$'}{label}, E'\\n' || (${'$'}{organization})::text]`,
    replace: 'array_append(f.labels, f.organization_id::text) @> ARRAY[${label}, (${organization})::text]',
    spec: changes,
    test: 'are the same for an organization and an event, and can be combined',
  },
  {
    name: 'a comment makes a confirmed fix unconfirmed',
    file: 'src/modules/jobs/data/job-findings.repository.ts',
    search: ' AND NOT h.is_comment',
    replace: '',
    spec: 'test/e2e/jobs.spec.ts',
    test: 'is false while an earlier finding on the origin is open that the job did not test',
  },
  {
    name: 'reports contain the comments of the people who fix findings',
    file: 'src/modules/reports/domain/snapshot-finding.ts',
    search: 'finding.transitions.filter(({ isComment }) => !isComment)',
    replace: 'finding.transitions',
    spec: 'test/e2e/report-generation.spec.ts',
    test: 'contains the event, its findings with their history, and its scope',
  },
  {
    name: 'a bulk change in the portal reaches other organizations of the person',
    file: 'src/modules/retests/finding-bulk.service.ts',
    search: 'if (organizationId !== undefined) await',
    replace: 'if (false) await',
    spec: portal,
    test: 'does not reach findings of another organization of the same person',
  },
  {
    name: 'a saved view is deleted by another user',
    file: views,
    search: 'repository.delete({ id, organizationId, userId })',
    replace: 'repository.delete({ id, organizationId })',
    spec: portal,
    test: 'keep the filters of the list under a name, for their user alone',
  },
  {
    name: 'a saved view is renamed by another user',
    file: views,
    search: 'repository.update({ id, organizationId, userId }, { name })',
    replace: 'repository.update({ id, organizationId }, { name })',
    spec: portal,
    test: 'keep the filters of the list under a name, for their user alone',
  },
  {
    name: 'a user saves any number of views',
    file: 'src/modules/findings/saved-views.service.ts',
    search: '.length >= MAX_VIEWS)',
    replace: '.length < 0)',
    spec: portal,
    test: 'keep the filters of the list under a name, for their user alone',
  },
];
