import { hostOf, inUrl, portOf, requireWebUrl } from '../../../kernel/web-url';

/** What a job addresses: one origin and one path on it. */
export interface LaunchUrl {
  readonly origin: string;
  /** What assets are compared with. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

export function parseLaunchUrl(text: string): LaunchUrl {
  const url = requireWebUrl(text, 'url');
  const host = hostOf(url);
  url.hostname = inUrl(host);
  return { origin: url.origin, host, port: portOf(url), path: url.pathname };
}
