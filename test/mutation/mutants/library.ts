import type { Mutant } from '../mutant';

const loader = 'src/modules/checks/library-loader.ts';
const selection = 'src/modules/jobs/domain/check-selection.ts';
const commands = 'test/e2e/cli.spec.ts';
const jobs = 'test/e2e/jobs.spec.ts';
const scans = 'src/engine/scan.spec.ts';
const payloadFolder = 'src/apps/cli/payload-folder.ts';
const payloads = 'src/apps/cli/payload-folder.spec.ts';

/** The library of templates, and jobs that run them. */
export const library: readonly Mutant[] = [
  {
    name: 'library: of two files with one id the first is loaded',
    file: loader,
    search: 'if (one.template === null || other === undefined) return one;',
    replace: 'if (one.template === null || other === undefined || one.name > other) return one;',
    spec: commands,
    test: 'loads what is new or changed',
  },
  {
    name: 'library: a refused file retires the version that was loaded before',
    file: loader,
    search: 'retireAllBut(read.flatMap(({ id }) => id ?? []))',
    replace: 'retireAllBut(templates.map(({ id }) => id))',
    spec: commands,
    test: 'retires what the folder no longer has',
  },
  {
    name: 'library: a retired template can be used',
    file: 'src/modules/checks/data/library.repository.ts',
    search: 'WHERE c.id = ANY(${ids}::text[]) AND c.retired IS NULL`);',
    replace: 'WHERE c.id = ANY(${ids}::text[])`);',
    spec: jobs,
    test: 'leaves a template to a finding by its id',
  },
  {
    name: 'library: a job runs a named template that changes state',
    file: selection,
    search: 'if (refused !== undefined)',
    replace: 'if (named.length < 0)',
    spec: jobs,
    test: 'is refused with the entry that selects nothing or never runs',
  },
  {
    name: 'library: a tag selects templates that change state',
    file: 'src/modules/jobs/job-checks.ts',
    search: 'if (reason !== null) continue;',
    replace: `if (reason === '') continue;`,
    spec: jobs,
    test: 'runs them alone, records findings with their YAML',
  },
  {
    name: 'library: a job without a check that runs is launched',
    file: selection,
    search: 'if (builtIn.length === 0 && running === 0)',
    replace: 'if (builtIn.length < 0)',
    spec: 'src/modules/jobs/domain/check-selection.spec.ts',
    test: 'is refused if nothing of it runs',
  },
  {
    name: 'library: a job has any number of templates',
    file: selection,
    search: 'if (running > MAX_TEMPLATES)',
    replace: 'if (running > Infinity)',
    spec: 'src/modules/jobs/domain/check-selection.spec.ts',
    test: 'is refused with more templates than a job runs',
  },
  {
    name: 'library: a later version of a template shows that a finding is fixed',
    file: 'src/modules/jobs/domain/previous-findings.ts',
    search: 'if (own !== null) tested.set(place, { finding: { ...finding, own }, template });',
    replace: 'if (own !== null) tested.set(place, { finding, template });',
    spec: jobs,
    test: 'runs them alone, records findings with their YAML',
  },
  {
    name: 'library: a verdict counts for findings of another template with the same id',
    file: 'src/modules/jobs/job-results.ts',
    search: 'return tested !== undefined && tested.template === (templates.get(one.id) ?? null);',
    replace: 'return tested !== undefined && templates.size >= 0;',
    spec: jobs,
    test: 'does not take a finding for fixed that has another template',
  },
  {
    name: 'library: a job runs the version that is loaded when it starts',
    file: 'src/modules/checks/data/library.repository.ts',
    search: 'v.check_id = wanted.id AND v.version = wanted.version ORDER BY',
    replace:
      'v.check_id = wanted.id AND v.version = (SELECT c.version FROM library_checks c WHERE c.id = wanted.id) ORDER BY',
    spec: jobs,
    test: 'runs the version of the launch',
  },
  {
    name: 'library: the page of a firewall has nothing to test',
    file: 'src/engine/assess.ts',
    search: `return confirmed.state === 'not_vulnerable' ? seen : confirmed;`,
    replace: `return confirmed.state === 'not_vulnerable' || this.before === null ? seen : confirmed;`,
    spec: scans,
    test: 'could not be completed where a firewall answers',
  },
  {
    name: 'library: a finding is no reason to test what has nothing to test',
    file: 'src/engine/scan-run.ts',
    search: "if (known === undefined && 'hasNoSubject' in seen.observation)",
    replace: "if ('hasNoSubject' in seen.observation)",
    spec: scans,
    test: 'could not be completed where a firewall answers',
  },
  {
    name: 'library: a payload file is read from outside of the folder',
    file: payloadFolder,
    search: String.raw`if (path.split(/[/\\]/).includes('..'))`,
    replace: `if (path === '..')`,
    spec: payloads,
    test: 'with a path that leaves the folder',
  },
  {
    name: 'library: an absolute path of a payload file is read',
    file: payloadFolder,
    search: 'if (isAbsolute(path))',
    replace: `if (path === '/')`,
    spec: payloads,
    test: 'with an absolute path',
  },
  {
    name: 'library: a payload file may be a symbolic link',
    file: payloadFolder,
    search: 'if (real !== named || ',
    replace: 'if (',
    spec: payloads,
    test: 'which is a symbolic link',
  },
  {
    name: 'library: a payload file has any size',
    file: payloadFolder,
    search: 'if (stats.size > LARGEST_FILE)',
    replace: 'if (stats.size < 0)',
    spec: payloads,
    test: 'which is larger than 1 MiB',
  },
  {
    name: 'library: a template of a request has the limits of loaded ones',
    file: 'src/modules/findings/domain/check-definition.ts',
    search: 'return checkFromYaml(http, { origin });',
    replace: `return checkFromYaml(http, { origin: origin ?? 'loaded' });`,
    spec: 'src/modules/findings/domain/check-definition.spec.ts',
    test: 'may have more payloads than one of a request',
  },
  {
    name: 'library: a thousand requests that depend on each other are repeated',
    file: 'src/engine/templates/compile-template.ts',
    search: 'isDependent ? Math.min(MOST_DEPENDENT_REQUESTS, this.limits.requests)',
    replace: 'isDependent ? this.limits.requests',
    spec: 'src/engine/templates/template-limits.spec.ts',
    test: 'at most 60 requests that depend on each other',
  },
  {
    name: 'texts: a comment of a hostile file is looked for from each of its spaces',
    file: 'src/engine/protocols/http/configured-secrets.ts',
    search: String.raw`(?<!\s)\s+#`,
    replace: String.raw`\s+#`,
    spec: 'test/architecture/linear-expressions.spec.ts',
    test: 'of the product search hostile texts in linear time',
  },
];
