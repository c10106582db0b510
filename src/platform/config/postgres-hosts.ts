const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

const listIn = (parameters: URLSearchParams, name: string): string[] => parameters.get(name)?.split(',') ?? [];

/** A URL for each server, because `pg` knows none with several: `postgres://assay@h1:5432,h2:5433/db`, or `host=` with a list. */
export function hostUrls(text: string): string[] {
  const [, start = '', authority = '', path = '', query = ''] = PARTS.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const hosts = listIn(parameters, 'host');
  const ports = listIn(parameters, 'port');
  const authorities = hosts.length > 0 ? [authority] : authority.split(',');
  const count = Math.max(hosts.length, authorities.length);
  if (count === 1) return [text];
  return Array.from({ length: count }, (_, at) => {
    const own = new URLSearchParams(parameters);
    if (hosts.length > 0) own.set('host', hosts[at] ?? '');
    if (ports.length > 0) own.set('port', (ports.length === 1 ? ports[0] : ports[at]) ?? '');
    return `${start}${authorities[at] ?? authority}${path}?${own.toString()}`;
  });
}

/** Why a URL of the database cannot be used. */
export function postgresUrlProblem(text: string): string | undefined {
  if (!PARTS.test(text)) return 'must be a postgres:// URL';
  const [, , authority = '', , query = ''] = PARTS.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write') {
    return `must have target_session_attrs=read-write, not "${wanted}": Assay needs the server that accepts changes`;
  }
  const hosts = listIn(parameters, 'host');
  const named = hosts.length > 0 ? hosts : authority.split(',');
  if (named.length === 1) return undefined;
  if (named.some((host) => !/^[^:]|^\[/.test(host))) return 'must not have an empty host between its commas';
  const ports = listIn(parameters, 'port');
  if (ports.length > 1 && ports.length !== named.length) return 'must have one port in total, or one for each host';
  const hasInvalidPort = (): boolean => ports.some((port) => !/^\d{1,5}$/.test(port));
  const isInvalid = (host: string): boolean => hosts.length === 0 && !/^(\[[\da-f:.]+\]|[^[\]:]+)(:\d{1,5})?$/i.test(host);
  if (hasInvalidPort() || named.some(isInvalid)) return 'must be a list of hosts such as db1:5432,db2:5432';
  return undefined;
}
