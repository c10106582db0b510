import type { Check } from '../check';
import { exposedGit } from './exposed-git/exposed-git';
import { insecureForm } from './insecure-form/insecure-form';
import { missingFrameProtection } from './missing-frame-protection/missing-frame-protection';
import { missingHsts } from './missing-hsts/missing-hsts';
import { missingNosniff } from './missing-nosniff/missing-nosniff';
import { openRedis } from './open-redis/open-redis';
import { unsafeReferrerPolicy } from './unsafe-referrer-policy/unsafe-referrer-policy';
import { weakCsp } from './weak-csp/weak-csp';

/** Every check that a job runs and a finding can name, in the order in which they are listed to people. */
export const CHECKS: readonly Check[] = [
  missingHsts,
  weakCsp,
  missingNosniff,
  missingFrameProtection,
  unsafeReferrerPolicy,
  insecureForm,
  exposedGit,
  openRedis,
];

const BY_ID = new Map(CHECKS.map((check) => [check.id, check]));

export const checkById = (id: string): Check | null => BY_ID.get(id) ?? null;
