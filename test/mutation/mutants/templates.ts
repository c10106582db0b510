import type { Mutant } from '../mutant';

const checks = 'test/e2e/retest-checks.spec.ts';
const allowing = 'runs only when an admin allows it for the finding, and no longer when the check is replaced';
const run = 'src/engine/templates/template-run.spec.ts';
const expressions = 'src/engine/templates/expressions/expressions.spec.ts';
const compiling = 'src/engine/templates/check-from-yaml.spec.ts';

/** Checks in YAML: what may change state, what stays on the target, and the limits of expressions. */
export const templates: readonly Mutant[] = [
  {
    name: 'templates: a check that changes state runs without an admin',
    file: 'src/engine/templates/check-from-yaml.ts',
    search: 'const isForbidden = unsafeMethods.length > 0 && !allowUnsafe;',
    replace: 'const isForbidden = false;',
    spec: run,
    test: 'sends nothing unless an admin allows it',
  },
  {
    name: 'templates: a retest starts with a check that no admin allowed',
    file: 'src/modules/retests/retests.service.ts',
    search: 'if (test?.forbidden != null) throw notLaunchable(test.forbidden);',
    replace: '',
    spec: checks,
    test: allowing,
  },
  {
    name: 'templates: a member allows a check to change state',
    file: 'src/modules/findings/finding-changes.service.ts',
    search: `if (allowUnsafe !== undefined) caller.requireRole('admin', organizationId);`,
    replace: '',
    spec: checks,
    test: allowing,
  },
  {
    name: 'templates: a member allows it while recording the finding',
    file: 'src/modules/events/event-findings.service.ts',
    search: `if (check?.allowUnsafe === true) caller.requireRole('admin', organizationId);`,
    replace: '',
    spec: checks,
    test: allowing,
  },
  {
    name: 'templates: another check keeps what was allowed',
    file: 'src/modules/findings/finding-recorder.ts',
    search: 'allowUnsafe ?? (known.allowUnsafe && !checkReplaced)',
    replace: 'allowUnsafe ?? known.allowUnsafe',
    spec: checks,
    test: allowing,
  },
  {
    name: 'templates: a raw request names another host',
    file: 'src/engine/templates/request-fields.ts',
    search: `if (lowered === 'host')`,
    replace: `if (lowered === 'no-host')`,
    spec: compiling,
    test: 'a foreign host in a raw request',
  },
  {
    name: 'templates: a value breaks a header into two',
    file: 'src/engine/templates/template-run.ts',
    search: String.raw`if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))`,
    replace: String.raw`if (/^nothing$/.test(value))`,
    spec: run,
    test: 'refuses values that would leave the host or break the request',
  },
  {
    name: 'templates: a missing value of an extractor counts as not vulnerable',
    file: 'src/engine/templates/template-run.ts',
    search: 'if (error instanceof UndefinedName) throw this.lacking(request, error);',
    replace: 'if (error instanceof UndefinedName) return this.subject.page;',
    spec: run,
    test: 'is inconclusive if a later request needs what no response contains',
  },
  {
    name: 'templates: a page that ends the flow early is trusted',
    file: 'src/engine/confirm-absence.ts',
    search: `return requests.some(({ key }) => key === decisive.key) ? decisive : { kind: 'http', key: last.key };`,
    replace: 'return decisive;',
    spec: run,
    test: 'another page answers before the token is asked for',
  },
  {
    name: 'templates: an expression has any number of steps',
    file: 'src/engine/templates/expressions/evaluate.ts',
    search: 'if (this.steps < 0)',
    replace: 'if (this.steps < -Infinity)',
    spec: expressions,
    test: 'many steps',
  },
  {
    name: 'templates: a text is repeated any number of times',
    file: 'src/engine/templates/expressions/text-functions.ts',
    search: 'if (text.length * charactersOf(count) > LONGEST_VALUE)',
    replace: 'if (charactersOf(count) < 0)',
    spec: expressions,
    test: 'a text that grows',
  },
  {
    name: 'templates: a response after an out-of-band request shows that nothing is there',
    file: 'src/engine/templates/template-run.ts',
    search: 'this.sentOutOfBand ||= request.isOutOfBand;',
    replace: '',
    spec: run,
    test: 'is inconclusive, and never fixed, if nothing matches',
  },
  {
    name: 'templates: an admin allows another check than the page showed',
    file: 'src/portal/findings/finding-versions.ts',
    search: 'if (versionOfCheck(await this.findings.getWithCheck(scope, id)) !== version) throw changedMeanwhile();',
    replace: '',
    spec: 'test/e2e/portal-findings.spec.ts',
    test: 'lets only an admin allow a check that changes state',
  },
];
