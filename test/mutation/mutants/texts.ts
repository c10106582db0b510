import type { Mutant } from '../mutant';

const hostileInput = 'test/e2e/hostile-input.spec.ts';
const portalText = 'test/e2e/portal-text.spec.ts';
const portal = 'src/portal/create-portal.ts';

/** Characters that names, forms and queries must not contain. */
export const texts: readonly Mutant[] = [
  {
    name: 'forms: a line end counts as two characters',
    file: 'src/portal/http/form.pipe.ts',
    search: "text.replaceAll('\\r\\n', '\\n')",
    replace: 'text',
    spec: 'test/e2e/portal-findings.spec.ts',
    test: 'counts a line end as one character',
  },
  {
    name: 'texts: names may have line breaks',
    file: 'src/platform/http/fields.ts',
    search: "passes((text) => typeof text === 'string' && isLine(text))",
    replace: "passes((text) => typeof text === 'string' && isLine(''))",
    spec: hostileInput,
    test: 'is one line without controls',
  },
  {
    name: 'texts: names may reorder the text around them',
    file: 'src/kernel/plain-text.ts',
    search: '\\u2028-\\u202E\\u2066-\\u2069]/u',
    replace: '\\u2028]/u',
    spec: 'src/kernel/plain-text.spec.ts',
    test: 'must not contain',
  },
  {
    name: 'texts: the names in a report may have line breaks',
    file: 'src/modules/reports/http/report.requests.ts',
    search: ' && isLine(text)',
    replace: " && isLine('')",
    spec: hostileInput,
    test: 'is one line without controls',
  },
  {
    name: 'texts: the command line accepts names of several lines',
    file: 'src/apps/cli/arguments.ts',
    search: 'if (unsuitable !== undefined) throw',
    replace: "if (unsuitable === '') throw",
    spec: 'test/e2e/cli.spec.ts',
    test: 'create-organization',
  },
  {
    name: 'texts: forms may have U+0000',
    file: 'src/portal/http/form.pipe.ts',
    search: '    requireText(fields);',
    replace: '    void requireText;',
    spec: portalText,
    test: 'is refused in the field',
  },
  {
    name: 'texts: a refused form does not show where a control character is',
    file: 'src/portal/http/form-again.ts',
    search: "typeof value === 'string' ? withVisibleControls(value) : value",
    replace: "typeof value === 'symbol' ? withVisibleControls(value.toString()) : value",
    spec: portalText,
    test: 'is refused in the field',
  },
  {
    name: 'texts: forms may be no UTF-8',
    file: portal,
    search: ', verify: requireUtf8Form',
    replace: '',
    spec: portalText,
    test: 'is refused in a form',
  },
  {
    name: 'texts: queries of the portal may be no UTF-8',
    file: portal,
    search: '  app.use(requireUtf8Query);',
    replace: '  void requireUtf8Query;',
    spec: portalText,
    test: 'is refused in a query',
  },
  {
    name: 'texts: queries of the API may be no UTF-8',
    file: 'src/platform/http/query.guard.ts',
    search: 'refusalUnlessUtf8(encodedQuery(request.originalUrl)) ??',
    replace: "refusalUnlessUtf8(encodedQuery('')) ??",
    spec: hostileInput,
    test: 'is refused with a message that names the parameter',
  },
];
