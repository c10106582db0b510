import type { Mutant } from '../mutant';

const sdk = 'clients/sdk/src/sdk.spec.ts';
const cli = 'clients/cli/src/cli.spec.ts';
const action = 'clients/action/src/action.spec.ts';

/** What keeps a pipeline from succeeding by accident, keys with their service, and texts of targets from being commands. */
export const clients: readonly Mutant[] = [
  {
    name: 'clients: a job that did not finish passes the gate',
    file: 'clients/sdk/src/gate.ts',
    search: "success.success === true && waited.state.status === 'FINISHED'",
    replace: 'success.success === true',
    spec: sdk,
    test: 'does not pass for a job that did not finish',
  },
  {
    name: 'clients: the second of two equal names is the result',
    file: 'clients/sdk/src/unambiguous-json.ts',
    search: 'if (open.at(-1)?.has(key) === true)',
    replace: 'if (false)',
    spec: sdk,
    test: 'both false and true',
  },
  {
    name: 'clients: a repeated request has an effect again',
    file: 'clients/sdk/src/transport.ts',
    search: "if (method === 'POST' && !headers.has('idempotency-key'))",
    replace: 'if (false)',
    spec: sdk,
    test: 'is repeated with one Idempotency-Key',
  },
  {
    name: 'clients: a scan that nobody waits for goes on after a stop',
    file: 'clients/sdk/src/pipeline.ts',
    search: "if (keepsScan) return 'running';",
    replace: "if (keepsScan || true) return 'running';",
    spec: action,
    test: 'cancels its scan when it is stopped',
  },
  {
    name: 'clients: SARIF of a scan without a result closes the alerts of the application',
    file: 'clients/sdk/src/sarif.ts',
    search: 'automationDetails: { id: `${category}-incomplete/` }',
    replace: 'automationDetails: { id: `${category}/` }',
    spec: action,
    test: 'in a category of its own, so that it closes no alerts',
  },
  {
    name: 'clients: a wait outlasts its time',
    file: 'clients/sdk/src/limited.ts',
    search: 'if (ms < Infinity) setTimeout',
    replace: 'if (ms < 0) setTimeout',
    spec: 'clients/sdk/src/limited.spec.ts',
    test: 'a limited signal aborts after its time',
  },
  {
    name: 'clients: a pipeline that fails for new findings reads the gate of a scan without a reference',
    file: 'clients/cli/src/scans.ts',
    search: "failOn === 'new' ? { newSince: reference ?? DEFAULT_REFERENCE } : {}",
    replace: "failOn === 'new' ? { newSince: DEFAULT_REFERENCE } : {}",
    spec: cli,
    test: 'compares with a reference and records one',
  },
  {
    name: 'clients: text of a target moves the cursor of a terminal',
    file: 'clients/sdk/src/safe-text.ts',
    search: "text.replace(UNSAFE, '\\u{fffd}')",
    replace: 'text',
    spec: sdk,
    test: 'have no characters that a terminal would obey',
  },
  {
    name: 'clients: the key of a profile is sent to any address',
    file: 'clients/cli/src/settings.ts',
    search: 'url === withoutSlash(profile.url) ? profile : {}',
    replace: 'profile',
    spec: cli,
    test: 'never send the key of a profile to another address',
  },
  {
    name: 'clients: a file of a project sets anything',
    file: 'clients/cli/src/settings.ts',
    search: 'if (!PROJECT_KEYS.includes(name))',
    replace: 'if (false)',
    spec: cli,
    test: 'of a project never set',
  },
  {
    name: 'clients: a file of a project loosens the gate',
    file: 'clients/cli/src/settings.ts',
    search: 'if (severity !== undefined && !isStricter(severity, severityOfUser))',
    replace: 'if (false)',
    spec: cli,
    test: 'of a project never loosen the gate',
  },
  {
    name: 'clients: text of a target is a command of the runner',
    file: 'clients/action/src/runner.ts',
    search: '`::stop-commands::${token}\\n',
    replace: '`\\n',
    spec: action,
    test: 'lets no line of its log be a command of the runner',
  },
  {
    name: 'clients: text of a target is HTML in the summary',
    file: 'clients/action/src/markdown.ts',
    search: 'letter : `&#${letter.codePointAt(0)};`',
    replace: 'letter : letter',
    spec: action,
    test: 'be no command of the runner, no Markdown and no HTML',
  },
];
