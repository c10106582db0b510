import { z } from 'zod';
import { parseUrl } from '../../kernel/parse-url';

/** A URL for each server of `postgres://assay@db1:5432,db2:5432/assay`, because `pg` connects only to one. */
export function hostUrls(text: string): string[] {
  const [, start = text, hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
}

export const postgresUrlOfOne = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL');

/** A URL of one server or of several. */
export const postgresUrl = postgresUrlOfOne.superRefine((text, context) => {
  const message = problemOf(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

function problemOf(text: string): string | undefined {
  const parameters = new URLSearchParams(/\?(.*)/.exec(text)?.[1]);
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write') {
    return `must have target_session_attrs=read-write, not "${wanted}": Assay needs the server that accepts changes`;
  }
  const urls = hostUrls(text);
  const isList = urls.length > 1 || parameters.get('host')?.includes(',') === true;
  return isList && (parameters.has('host') || parameters.has('port') || !urls.every((url) => parseUrl(url)?.hostname))
    ? 'must list several hosts before the name of the database, such as db1:5432,db2:5432'
    : undefined;
}
