import type { WebTarget } from '../target';
import { originOf } from '../transport/http';

/** What may stand in two pairs of braces. */
export const PLACEHOLDERS = ['BaseURL', 'RootURL', 'Hostname', 'Host', 'Port', 'Path', 'Scheme'] as const;

type Values = Readonly<Record<string, string>>;

function valuesOf(target: WebTarget): Values {
  const root = originOf(target);
  const path = target.path.replace(/\/+$/, '');
  return {
    BaseURL: `${root}${path}`,
    RootURL: root,
    Hostname: new URL(root).host,
    Host: target.host,
    Port: String(target.port),
    Path: path,
    Scheme: target.scheme,
  };
}

/** The text with the target's own values in it. */
export function fillPlaceholders(template: string, target: WebTarget): string {
  const values = valuesOf(target);
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** What is asked for at the target's own host, of a path that begins with its URL. */
export function pathOf(template: string, target: WebTarget): string {
  const path = fillPlaceholders(template, target).slice(originOf(target).length).split('#', 1)[0] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}
