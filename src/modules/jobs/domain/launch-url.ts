import type { Target } from '../../../engine';
import { parseTarget } from '../../../engine/target';
import { canonicalIp } from '../../../kernel/cidr';
import { requireWebUrl } from '../../../kernel/web-url';

/** The page that a job tests. */
export function parseLaunchUrl(text: string): Target {
  requireWebUrl(text, 'url');
  const target = parseTarget(text);
  return { ...target, host: canonicalIp(target.host) ?? target.host };
}

/** Without the query: pipelines often use a different one each time, and it may carry a token. */
export const pageOfUrl = (url: string): string => url.replace(/[?#].*$/s, '');
