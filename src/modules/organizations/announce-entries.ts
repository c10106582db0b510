import { Logger } from '@nestjs/common';
import { type EgressEntry, egressEntryText } from '../../kernel/egress-entry';
import { everything } from '../../platform/api/scope';
import { ConfigError } from '../../platform/config/load-config';
import type { OrganizationsService } from './organizations.service';

const scope = everything('the operator binds allowed addresses to organizations');

/**
 * Logs what a setting allows, when a process starts. A tenant may delete an organization at any time, so entries for a
 * deleted one only cause a warning: its number is never given again. Throws for a number that no organization ever had, because the next one could get it.
 */
export async function announceEntries(
  organizations: Pick<OrganizationsService, 'find' | 'isDeleted'>,
  setting: string,
  entries: readonly EgressEntry[],
  may: string,
): Promise<void> {
  const logger = new Logger(setting);
  for (const entry of entries) {
    const { organizationId } = entry;
    const text = egressEntryText({ ...entry, organizationId: undefined });
    if (organizationId === undefined || (await organizations.find(scope, organizationId)) !== undefined) {
      const who = organizationId === undefined ? 'every organization' : `organization ${organizationId}`;
      logger.log(`${setting}: ${who} may ${may} ${text}.`);
      continue;
    }
    const written = `${setting} contains ${egressEntryText(entry)}, but`;
    if (!(await organizations.isDeleted(organizationId)))
      throw new ConfigError([
        `${written} there is no organization ${organizationId}: correct the number or remove the entry`,
      ]);
    logger.warn(`${written} organization ${organizationId} was deleted. The entry is ignored: remove it.`);
  }
}
