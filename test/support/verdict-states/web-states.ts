import { CACHE_STATES } from './cache-states';
import { CLIENT_STATES } from './client-states';
import { CONTENT_STATES } from './content-states';
import { GATE_STATES } from './gate-states';
import { HTTP_STATES } from './http-states';
import { PLACEMENT_STATES } from './placement-states';
import { REPAIR_STATES } from './repair-states';
import { ROLLOUT_STATES } from './rollout-states';
import type { WebState } from './web-state';

const PLAIN: readonly WebState[] = [{ name: 'as it was', truth: 'weak', begin: ({ weak }) => weak }];

export const WEB_STATES: readonly WebState[] = [
  ...PLAIN,
  ...CLIENT_STATES,
  ...ROLLOUT_STATES,
  ...CACHE_STATES,
  ...HTTP_STATES,
  ...CONTENT_STATES,
  ...GATE_STATES,
  ...PLACEMENT_STATES,
  ...REPAIR_STATES,
];
