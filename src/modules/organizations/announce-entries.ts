import { Logger } from '@nestjs/common';
import { type EgressEntry, egressEntryText } from '../../kernel/egress-entry';
import { everything } from '../../platform/api/scope';
import { ConfigError } from '../../platform/config/load-config';
import type { OrganizationsService } from './organizations.service';

const scope = everything('the operator binds allowed addresses to organizations');

/** Logs what a setting allows, when a process starts. Throws if an organization does not exist. */
export async function announceEntries(
  organizations: Pick<OrganizationsService, 'find'>,
  setting: string,
  entries: readonly EgressEntry[],
  may: string,
): Promise<void> {
  for (const entry of entries) {
    const { organizationId } = entry;
    if (organizationId === undefined || (await organizations.find(scope, organizationId)) !== undefined) continue;
    throw new ConfigError([
      `${setting} contains ${egressEntryText(entry)}, but there is no organization ${organizationId}: correct the number or remove the entry`,
    ]);
  }
  for (const entry of entries) {
    const who = entry.organizationId === undefined ? 'every organization' : `organization ${entry.organizationId}`;
    new Logger(setting).log(
      `${setting}: ${who} may ${may} ${egressEntryText({ ...entry, organizationId: undefined })}.`,
    );
  }
}
