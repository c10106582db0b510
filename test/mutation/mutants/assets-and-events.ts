import type { Mutant } from '../mutant';

const assets = 'src/modules/assets/assets.service.ts';
const observed = 'src/modules/assets/data/asset-summary.repository.ts';
const events = 'src/modules/events/events.service.ts';
const labelsSpec = 'test/e2e/asset-labels.spec.ts';
const changesSpec = 'test/e2e/event-changes.spec.ts';

/** Who writes labels, what of an event may change, and that an observation stays in its organization. */
export const assetsAndEvents: readonly Mutant[] = [
  {
    name: 'labels: members change them',
    file: assets,
    search: "(field) => to[field] !== undefined) ? 'admin' : 'member'",
    replace: "(field) => to[field] === null) ? 'admin' : 'member'",
    spec: labelsSpec,
    test: 'are written by admins alone',
  },
  {
    name: 'labels: members set them on new assets',
    file: assets,
    search: `caller.requireRole(labels.length > 0 ? 'admin' : 'member', organization.id);`,
    replace: `caller.requireRole('member', organization.id);`,
    spec: labelsSpec,
    test: 'are written by admins alone',
  },
  {
    name: 'labels: members set them with an import',
    file: 'src/modules/imports/uploads.service.ts',
    search: `const needsAdmin = testReplays || asset_labels.length > 0;`,
    replace: `const needsAdmin = testReplays;`,
    spec: labelsSpec,
    test: 'labels them for admins alone',
  },
  {
    name: 'observed assets: another organization is written to',
    file: observed,
    search: 'WHERE id = ${assetId} AND organization_id = ${organizationId}`);',
    replace: 'WHERE id = ${assetId}`);',
    spec: 'test/e2e/observed-assets.spec.ts',
    test: 'does not change assets of other organizations',
  },
  {
    name: 'events: the dates of an event that has ended change',
    file: 'src/modules/events/domain/event-dates.ts',
    search: 'if (hasEnded(status)) throw',
    replace: 'if (false) throw',
    spec: changesSpec,
    test: 'keeps the dates of a',
  },
  {
    name: 'events: a change leaves half a place',
    file: events,
    search: 'requireWholePlace({ latitude, longitude });',
    replace: '',
    spec: changesSpec,
    test: 'keeps both coordinates when one of them is removed alone',
  },
];
