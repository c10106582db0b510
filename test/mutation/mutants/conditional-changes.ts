import type { Mutant } from '../mutant';

const conditionalChanges = 'src/platform/http/conditional-changes.ts';
const interceptor = 'src/platform/http/operation.interceptor.ts';
const unitOfWork = 'src/platform/audit/unit-of-work.ts';
const entityTag = 'src/platform/http/entity-tag.ts';
const spec = 'test/e2e/conditional-changes.spec.ts';

/** ETag and If-Match. */
export const conditionalChangesMutants: readonly Mutant[] = [
  {
    name: 'If-Match: the ETag is not compared',
    file: conditionalChanges,
    search: 'if (!isMatch) throw',
    replace: 'if (false) throw',
    spec,
    test: 'wins exactly once when twenty changes',
  },
  {
    name: 'If-Match: the ETag is compared before the finding is locked',
    file: 'src/modules/findings/changes/finding-changes.service.ts',
    search: `    const finding = await this.lock(caller, id);
    await this.unitOfWork.checkCondition();`,
    replace: `    await this.unitOfWork.checkCondition();
    const finding = await this.lock(caller, id);`,
    spec,
    test: 'wins exactly once when twenty changes',
  },
  {
    name: 'If-Match: the ETag is compared before the role is checked',
    file: 'src/modules/findings/changes/finding-changes.service.ts',
    search: `    this.requireMember(caller, organizationId);`,
    replace: `    await this.unitOfWork.checkCondition();
    this.requireMember(caller, organizationId);`,
    spec,
    test: 'returns 404 for a record outside the scope and 403 without the role',
  },
  {
    name: 'If-Match: the state is judged before the ETag',
    file: 'src/modules/findings/findings.service.ts',
    search: `    await this.unitOfWork.checkCondition();
    requireNotMerged(finding);
    if (from !== to) await this.acceptance.require(organizationId, to, details);
    return this.changeLocked(caller.actor, finding, to, details);`,
    replace: `    const outcome = await this.changeLocked(caller.actor, finding, to, details);
    await this.unitOfWork.checkCondition();
    return outcome;`,
    spec,
    test: 'returns 412 before the change is checked against the current state',
  },
  {
    name: 'If-Match: a weak ETag matches',
    file: conditionalChanges,
    search: 'wanted.includes(tag)',
    replace: 'wanted.some((one) => one.endsWith(tag))',
    spec,
    test: 'explains that a weak ETag never matches',
  },
  {
    name: 'If-Match: a malformed header is accepted',
    file: entityTag,
    search: 'if (!TAG_LIST.test(header))',
    replace: 'if (false)',
    spec,
    test: 'is refused with 400 when If-Match is',
  },
  {
    name: 'If-Match: the time to refuse a header doubles with each element',
    file: entityTag,
    search: ',(?:[ \\\\t]*${TAG})?)*',
    replace: ',[ \\\\t]*(?:${TAG})?)*',
    spec: 'src/platform/http/entity-tag.spec.ts',
    test: 'refused in a time that does not double',
  },
  {
    name: 'If-Match: an operation that compares nothing ignores it',
    file: conditionalChanges,
    search: `      throw invalid('This operation does not support If-Match. Send the request without this header.');`,
    replace: '      return undefined;',
    spec,
    test: 'is refused with 400 by an operation without an ETag',
  },
  {
    name: 'If-Match: * matches a record that does not exist',
    file: conditionalChanges,
    search: "const isMatch = tag !== undefined && (wanted === '*' || wanted.includes(tag));",
    replace: "const isMatch = wanted === '*' || (tag !== undefined && wanted.includes(tag));",
    spec,
    test: 'returns 412 to the first logo with If-Match: *',
  },
  {
    name: 'If-Match: a refusal leaves no audit entry',
    file: unitOfWork,
    search: "  'precondition_failed',\n",
    replace: '',
    spec,
    test: 'leaves an entry in the audit log when it is refused',
  },
  {
    name: 'If-Match: a change that does not check its condition is committed',
    file: unitOfWork,
    search: "throw new Error('the unit of work did not check its condition');",
    replace: 'return result;',
    spec: 'test/e2e/transactions.spec.ts',
    test: 'rolls back a unit of work that does not check its condition',
  },
  {
    name: 'If-Match: the stored response of an Idempotency-Key has no ETag',
    file: interceptor,
    search: "if (etag !== null) response.setHeader('ETag', etag);",
    replace: '',
    spec,
    test: 'returns the stored response to a retry with the same Idempotency-Key',
  },
  {
    name: 'ETag: If-None-Match is ignored',
    file: 'src/platform/http/json-responder.ts',
    search: "return namesTag(response.req.headers['if-none-match'], tag);",
    replace: 'return false;',
    spec,
    test: 'is compared with If-None-Match',
  },
  {
    name: 'ETag: that of a long response is computed in one piece',
    file: entityTag,
    search: 'await setImmediate();',
    replace: '',
    spec: 'src/platform/http/entity-tag.spec.ts',
    test: 'lets the process serve others',
  },
  {
    name: 'portal: a form of a finding overwrites a change that its user has not seen',
    file: 'src/portal/findings/finding-versions.ts',
    search: 'if (version !== undefined && !isAsShown) throw changedMeanwhile();',
    replace: '',
    spec: 'test/e2e/portal-findings.spec.ts',
    test: 'refuses a form when another person has changed its field since',
  },
];
