import { hostOf, formatUrlHost, requireWebUrl } from '../../../kernel/web-url';

/** The target of a job: one origin and one path on it. */
export interface LaunchUrl {
  readonly origin: string;
  readonly path: string;
}

export function parseLaunchUrl(text: string): LaunchUrl {
  const url = requireWebUrl(text, 'url');
  url.hostname = formatUrlHost(hostOf(url));
  return { origin: url.origin, path: url.pathname };
}
