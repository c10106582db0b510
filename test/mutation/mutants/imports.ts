import type { Mutant } from '../mutant';

const spec = 'test/e2e/imports.spec.ts';
const uploads = 'src/modules/imports/uploads.service.ts';
const rules = 'src/modules/findings/domain/scan-result.ts';
const unit = 'src/modules/findings/domain/scan-result.spec.ts';

/** Files of scanners: limits of uploads, what makes results one finding, and what undoing must not touch. */
export const imports: readonly Mutant[] = [
  {
    name: 'imports: a viewer may import',
    file: uploads,
    search: "caller.requireRole('member', organizationId);",
    replace: "caller.requireRole('viewer', organizationId);",
    spec: 'test/contract/roles.spec.ts',
    test: "in the record's organization decides",
  },
  {
    name: 'imports: an organization may upload any number of files at a time',
    file: uploads,
    search: 'if (uploads >= MAX_UPLOADS) throw',
    replace: 'if (uploads > MAX_UNFINISHED) throw',
    spec,
    test: 'is one of two at a time of an organization',
  },
  {
    name: 'imports: a failed upload stays',
    file: uploads,
    search: 'this.transactions.outside(() => this.uploads.remove(upload)).catch(() => undefined);',
    replace: 'Promise.resolve();',
    spec,
    test: 'that is cut leaves nothing',
  },
  {
    name: 'imports: an upload is shown before it is complete',
    file: 'src/modules/imports/data/imports.repository.ts',
    search: "raw(`i.status <> 'UPLOADING'`)",
    replace: 'raw(`true`)',
    spec,
    test: 'that is cut leaves nothing',
  },
  {
    name: 'imports: a slow upload is accepted',
    file: 'src/platform/http/streamed-body.ts',
    search: 'setTimeout(() => reject(tooSlow()), Math.max(0, allowedMs - this.waitedMs));',
    replace: 'setTimeout(() => undefined, allowedMs);',
    spec,
    test: 'refuse a file that arrives too slowly',
  },
  {
    name: 'imports: a streamed file may be larger than the limit',
    file: 'src/platform/http/streamed-body.ts',
    search: 'if (this.received > maxBytes) throw tooLarge(maxBytes);',
    replace: '',
    spec,
    test: 'refuse a file that is too large, whether its length is announced or not',
  },
  {
    name: 'imports: a batch of a lost worker counts',
    file: 'src/modules/imports/work/import-batches.ts',
    search: "if (!(await this.imports.lockFor(begun, 'IN_PROGRESS'))) throw new ImportLostError();",
    replace: '',
    spec,
    test: 'is not changed by a worker that has lost it',
  },
  {
    name: 'imports: a known sighting counts again',
    file: rules,
    search: "if (state.sightings.has(key)) return { result: 'unchanged', state };",
    replace: '',
    spec: unit,
    test: 'are all unchanged when it is imported again',
  },
  {
    name: 'imports: an old file reopens findings',
    file: rules,
    search: 'const isNewer = state.resolvedAt === null || sighting.seenAt > state.resolvedAt;',
    replace: 'const isNewer = true;',
    spec: unit,
    test: 'before the resolution reopens nothing',
  },
  {
    name: 'imports: undoing removes findings that people have changed',
    file: 'src/modules/imports/imports.service.ts',
    search: 'if (touched.length > 0) throw findingsTouched(touched);',
    replace: '',
    spec,
    test: 'is refused with the ids when people have given its findings',
  },
  {
    name: 'imports: undoing removes findings that another import has as well',
    file: 'src/modules/imports/work/import-undoing.ts',
    search: 'alsoIn: (findingIds) => this.results.listAlsoIn(id, findingIds),',
    replace: 'alsoIn: async () => new Map(),',
    spec,
    test: 'keeps findings that another import has with the same results',
  },
  {
    name: 'imports: any number of findings of an import is tested',
    file: 'src/modules/imports/work/import-verifications.ts',
    search: 'allowed.length < MAX_VERIFICATIONS ?',
    replace: 'allowed.length < MAX_CANDIDATES ?',
    spec: 'test/e2e/finding-verification.spec.ts',
    test: 'at most 500 of an import',
  },
  {
    name: 'imports: tests are asked for where the launch rule does not allow them',
    file: 'src/modules/imports/work/import-verifications.ts',
    search: 'return launch.launchable ? null : launch.reason;',
    replace: 'return launch.launchable ? null : null;',
    spec: 'test/e2e/finding-verification.spec.ts',
    test: 'without a verified domain',
  },
  {
    name: 'imports: a test that refutes a finding changes its status',
    file: 'src/modules/findings/data/findings.repository.ts',
    search: 'UPDATE findings f SET verification = ${result},',
    replace:
      "UPDATE findings f SET status = CASE WHEN ${result} = 'refuted' THEN 7 ELSE f.status END, verification = ${result},",
    spec: 'test/e2e/finding-verification.spec.ts',
    test: ', and the status stays',
  },
  {
    name: 'imports: a page behind a login refutes a finding',
    file: 'src/engine/assess.ts',
    search: 'const closed = isReference ? closedReason(context.control) : null;',
    replace: 'const closed = isReference ? null : null;',
    spec: 'test/e2e/finding-verification.spec.ts',
    test: ', and the status stays',
  },
];
