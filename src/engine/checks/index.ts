import type { Check } from '../check';
import { exposedGit } from './exposed-git/exposed-git';
import { missingHsts } from './missing-hsts/missing-hsts';
import { openRedis } from './open-redis/open-redis';

/** Every check that a job runs and a finding can name, in the order in which they are listed to people. */
export const CHECKS: readonly Check[] = [missingHsts, exposedGit, openRedis];

const BY_ID = new Map(CHECKS.map((check) => [check.id, check]));

export const checkById = (id: string): Check | null => BY_ID.get(id) ?? null;
