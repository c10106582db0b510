import type { Mutant } from '../mutant';

const spec = 'test/e2e/finding-edits.spec.ts';
const editor = 'src/modules/findings/changes/finding-editor.ts';
const restated = 'src/modules/findings/scans/restated-finding.ts';
const jobs = 'src/modules/jobs/data/known-findings.ts';
const GREEN = 'is never green by an edit';

/** What people write of findings, and what scans and gates make of it. */
export const findingEdits: readonly Mutant[] = [
  {
    name: 'a member lowers the severity of a finding that a file has brought',
    file: editor,
    search: "if (!caller.hasRole('admin', finding.organizationId))",
    replace: 'if (caller.facts.userId < 0)',
    spec,
    test: 'becomes less severe only by an admin with a reason',
  },
  {
    name: 'an admin lowers a severity without a reason',
    file: editor,
    search: "if (reason == null || reason.trim() === '')",
    replace: 'if (reason === (1 as unknown))',
    spec,
    test: 'becomes less severe only by an admin with a reason',
  },
  {
    name: 'pasted evidence keeps its secrets',
    file: editor,
    search: 'evidence == null ? evidence : redact(evidence)',
    replace: 'evidence == null ? evidence : (redact, evidence)',
    spec,
    test: 'changes its texts and its severity',
  },
  {
    name: 'a gate counts the edited severity of an earlier finding',
    file: jobs,
    search: "const counted = countedSeverityOf('f');",
    replace: "const counted = raw('f.severity'), _counted = countedSeverityOf('f');",
    spec,
    test: 'is green when the scanner itself reports a lower severity',
  },
  {
    name: 'a person who records the finding again speaks for the scanner',
    file: restated,
    search: '(importId === null && jobUuid === null)',
    replace: '(importId === null && jobUuid === undefined)',
    spec,
    test: GREEN,
  },
  {
    name: 'an older file says what the scanner says last',
    file: restated,
    search: 'seenAt === null || seenAt >= finding.lastSeen',
    replace: 'seenAt === null || seenAt >= new Date(0)',
    spec,
    test: 'keeps what a person has written when it is imported again',
  },
  {
    name: 'an undone import still says what a pinned severity would be',
    file: 'src/modules/findings/scans/undone-scans.service.ts',
    search: 'await this.findings.restateFromSightings(left);',
    replace: 'await this.findings.restateFromSightings([]);',
    spec,
    test: 'has the texts of the last remaining file',
  },
  {
    name: 'a merge hides the severity that a scanner says',
    file: 'src/modules/findings/domain/merge.ts',
    search: 'const [severity, ofMain] = [countedSeverity(part).severity, countedSeverity(main).severity];',
    replace: 'const [severity, ofMain] = [part.severity, countedSeverity(main).severity];',
    spec,
    test: 'counts with the higher severity when it is merged',
  },
  {
    name: 'a report counts the edited severity',
    file: 'src/modules/findings/data/counted-severity.ts',
    search: '{pins,severity,severity}',
    replace: '{pins,severity,none}',
    spec: 'test/e2e/report-snapshot.spec.ts',
    test: 'counts the higher severity of a finding that an admin has lowered',
  },
  {
    name: 'a risk is accepted without what the organization requires',
    file: 'src/modules/findings/findings.service.ts',
    search: 'if (from !== to) await this.acceptance.require(',
    replace: 'if (from > 99) await this.acceptance.require(',
    spec,
    test: 'refuses an acceptance without a comment or a last day',
  },
  {
    name: 'a form of the portal replaces an edit that its user has not seen',
    file: 'src/portal/finding-edits/edit-finding.controller.tsx',
    search: 'if (versionOf(locked) !== form.version)',
    replace: "if (form.version === '')",
    spec: 'test/e2e/portal-finding-edits.spec.ts',
    test: 'shows a refused form again with what was typed',
  },
  {
    name: 'a template of another organization is read',
    file: 'src/modules/findings/changes/data/finding-templates.repository.ts',
    search: 'WHERE t.id = ${id} AND t.organization_id = ${organizationId}',
    replace: 'WHERE t.id = ${id}',
    spec: 'test/e2e/portal-finding-edits.spec.ts',
    test: 'belong to their organization',
  },
  {
    name: 'edits: a file lowers what a check has proved',
    file: 'src/modules/findings/scans/restated-finding.ts',
    search: "verification === 'confirmed' && stated !== undefined",
    replace: "verification === 'untested' && stated !== undefined",
    spec: 'test/e2e/finding-edits.spec.ts',
    test: 'keeps the severity that a check has proved',
  },
  {
    name: 'edits: undoing an import lowers what a check has proved',
    file: 'src/modules/findings/scans/data/scanned-findings.repository.ts',
    search: "AND (f.verification <> 'confirmed' OR",
    replace: "AND (f.verification <> 'none' OR",
    spec: 'test/e2e/finding-edits.spec.ts',
    test: 'keeps the severity that a check has proved',
  },
];
