import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { AssetsService } from '../../modules/assets';
import { type Organization, OrganizationsService } from '../../modules/organizations';
import { asOperator, operatorScope, runInDomain } from '../cli/run-in-domain';

/**
 * Adds URLs as assets of the demo organization, or of the first organization. Run by `npm start` with `--target`. Writes the
 * organization to a file, or null if there is none.
 */
async function add(urls: readonly string[], demoId: number, file: string): Promise<void> {
  const owner = await runInDomain(async (app) => {
    const organization = await findOwner(app, demoId);
    if (organization === undefined) return null;
    for (const url of urls) await ensureAsset(app, organization, url);
    return { id: organization.id, name: organization.name };
  });
  writeFileSync(file, JSON.stringify(owner));
}

async function findOwner(app: INestApplicationContext, demoId: number): Promise<Organization | undefined> {
  const organizations = app.get(OrganizationsService);
  return (await organizations.find(operatorScope, demoId)) ?? organizations.findFirst(operatorScope);
}

async function ensureAsset(app: INestApplicationContext, organization: Organization, url: string): Promise<void> {
  const assets = app.get(AssetsService);
  const known = await assets.findByValue(operatorScope, organization.id, url);
  if (known !== undefined && known.beaconId === null) return;
  const description = { operation: 'asset.create', resourceType: 'asset', organizationId: organization.id } as const;
  await asOperator(app, { ...description, metadata: { value: url, type: 'url' } }, async () => {
    await assets.lockForAdding(operatorScope, organization);
    await assets.addUrl(organization, url);
  });
}

const { OWN_TARGETS = '[]', OWNER_ID, OWNER_FILE } = process.env;
if (OWNER_FILE === undefined) throw new Error('OWNER_FILE must be set');
add(JSON.parse(OWN_TARGETS), Number(OWNER_ID), OWNER_FILE).catch((error: unknown) => {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
