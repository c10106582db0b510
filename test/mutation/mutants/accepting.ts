import type { Mutant } from '../mutant';

const repository = 'src/modules/assets/data/accepted-checks.repository.ts';
const rules = 'src/modules/assets/domain/accepted-checks.ts';
const jobs = 'test/e2e/jobs.spec.ts';
const unit = 'src/modules/assets/domain/accepted-checks.spec.ts';
const ownLocations = 'applies to its own locations only';

/** Checks that an admin accepts on an asset, which decide whether a pipeline continues. */
export const accepting: readonly Mutant[] = [
  {
    name: 'accepted checks: a key for pipelines may accept a check',
    file: 'src/modules/assets/http/accepted-checks.controller.ts',
    search: `role: 'admin',
    body: {`,
    replace: `role: 'admin',
    scope: 'ci',
    body: {`,
    spec: 'test/e2e/assets.spec.ts',
    test: 'is refused for a key for pipelines, also of an admin, and is recorded',
  },
  {
    name: 'accepted checks: an acceptance may last for years',
    file: 'src/modules/assets/domain/acceptance-rules.ts',
    search: 'if (until > latest) {',
    replace: 'if (false) {',
    spec: 'src/modules/assets/domain/acceptance-rules.spec.ts',
    test: 'an acceptance may not end at',
  },
  {
    name: 'accepted checks: an expired acceptance applies',
    file: repository,
    search: 'findings: (at) => sql`c.until > ${at}`,',
    replace: 'findings: (at) => sql`c.accepted_at <= ${at}`,',
    spec: jobs,
    test: 'counts again as soon as it has expired',
  },
  {
    name: 'accepted checks: those of other organizations apply',
    file: repository,
    search: "WHERE a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')} AND ${condition}",
    replace: 'WHERE ${condition}',
    spec: jobs,
    test: 'applies to no other check, host, port, path or organization',
  },
  {
    name: 'accepted checks: a check in YAML counts as the built-in check with its id',
    file: 'src/modules/jobs/data/known-findings.ts',
    search: "CASE WHEN f.check_definition ->> 'http' IS NULL THEN f.check_id END",
    replace: 'f.check_id',
    spec: jobs,
    test: 'also applies to an earlier finding, but not to one of a YAML check with the same id',
  },
  {
    name: 'accepted checks: a URL contains every page of its origin',
    file: rules,
    search: '(one) => areSurelyAtOrBelow(readings, one.readings)',
    replace: '() => true',
    spec: unit,
    test: 'on pages count for what a path surely means',
  },
  {
    name: 'accepted checks: a URL contains every port of its host',
    file: rules,
    search: '`${hostOf(url)} ${portOf(url)}`',
    replace: 'hostOf(url)',
    spec: unit,
    test: ownLocations,
  },
  {
    name: 'accepted checks: a domain contains its subdomains',
    file: rules,
    search: 'this.hosts.get(host) ??',
    replace: '[...this.hosts].find(([name]) => host.endsWith(name))?.[1] ??',
    spec: unit,
    test: ownLocations,
  },
  {
    name: 'accepted checks: a search looks for blocks of every length',
    file: 'src/kernel/cidr-map.ts',
    search: 'Cidr.containing(ip, this.prefixes)',
    replace: 'Cidr.containing(ip)',
    spec: 'src/kernel/cidr-map.spec.ts',
    test: 'looks once for each prefix length',
  },
  {
    name: 'accepted checks: the largest block decides',
    file: 'src/kernel/cidr-map.ts',
    search: '.toReversed()',
    replace: '',
    spec: 'src/kernel/cidr-map.spec.ts',
    test: 'the smallest block that contains',
  },
  {
    name: 'accepted checks: a decision about many assets hides critical findings that it does not name',
    file: 'src/modules/assets/acceptances.ts',
    search: "finding === null || !isAtLeast(finding.severity, 'critical') || criticalFindings.includes(finding.id)",
    replace: 'finding === null || criticalFindings.length >= 0',
    spec: 'src/modules/assets/acceptances.spec.ts',
    test: 'finding only if it is named',
  },
  {
    name: 'accepted checks: a decision about a label applies to all assets',
    file: 'src/modules/assets/acceptances.ts',
    search: "(label === '' || asset.labels.includes(label))",
    replace: 'label.length >= 0',
    spec: 'src/modules/assets/acceptances.spec.ts',
    test: 'or of those with the label',
  },
  {
    name: 'accepted checks: a decision about many assets applies in other organizations',
    file: 'src/modules/assets/acceptances.ts',
    search: 'organizationId === asset.organizationId &&',
    replace: 'organizationId > 0 &&',
    spec: 'src/modules/assets/acceptances.spec.ts',
    test: 'does not apply to an asset of another organization',
  },
  {
    name: 'accepted checks: many assets are decided about without their critical findings',
    file: 'src/modules/assets/accepted-on-many.service.ts',
    search: 'if (missing.length > 0) throw',
    replace: 'if (missing.length > 100) throw',
    spec: 'test/e2e/accepted-on-many.spec.ts',
    test: 'covers no critical finding that it does not name',
  },
  {
    name: 'accepted checks: a decision about many assets applies at any place of a finding',
    file: 'src/modules/assets/acceptances.ts',
    search: 'AcceptedChecks.isOn(onAsset, location, beaconId) ? onAsset : null',
    replace: 'onAsset',
    spec: 'src/modules/assets/acceptances.spec.ts',
    test: 'applies only where a setting of the asset does',
  },
];
