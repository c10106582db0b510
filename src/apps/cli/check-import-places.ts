import { type Misplaced, MisplacedFindings } from '../../modules/imports';
import { OrganizationsService } from '../../modules/organizations';
import type { Config } from '../../platform/config/load-config';
import { operatorScope, runWithModules } from './run-in-domain';

const PAGE = 100;

/** Of all organizations, one after the other. An interrupted run is repeated: what it has moved is at its place. */
export function checkImportPlaces(config: Config, applies: boolean): Promise<string[]> {
  return runWithModules(config, async (app) => {
    const lines: string[] = [];
    for (let page = 1, isLast = false; !isLast; page++) {
      const { items } = await app.get(OrganizationsService).list(operatorScope, { page, perPage: PAGE });
      for (const { id, name } of items) {
        const found = await app.get(MisplacedFindings).check(id, applies);
        lines.push(...found.map((one) => `Organization ${id} (${name}): ${sentenceOf(one)}`));
      }
      isLast = items.length < PAGE;
    }
    const end = applies ? 'All organizations were checked.' : 'Nothing was changed. --apply moves the findings.';
    return [...lines, end];
  });
}

const SENTENCES: Readonly<Record<Misplaced['outcome'], (from: string, to: string) => string>> = {
  move: (from, to) => `on ${from} would be moved to ${to}.`,
  moved: (from, to) => `moved from ${from} to ${to}.`,
  merged: (from, to) => `of ${from} merged into those that ${to} has already.`,
  left: (from, to) => `left on ${from}: ${to} has them already, with another status. Merge them in the portal.`,
  no_asset: (from, to) => `on ${from} left there: ${to} is no asset. Add it, and run the command again.`,
};

const sentenceOf = ({ outcome, from, to, findings }: Misplaced): string =>
  `${findings} ${findings === 1 ? 'finding' : 'findings'} ${SENTENCES[outcome](from, to)}`;
