import { parseTarget, type Target } from '../../../engine';
import { canonicalIp } from '../../../kernel/cidr';
import { requireWebUrl } from '../../../kernel/web-url';

/** The page that a job tests. */
export function parseLaunchUrl(text: string): Target {
  requireWebUrl(text, 'url');
  const target = parseTarget(text);
  return { ...target, host: canonicalIp(target.host) ?? target.host };
}

/** A query is left out: pipelines often use a different one each time. */
export const pageOfUrl = (url: string): string => url.replace(/[?#].*$/s, '');
