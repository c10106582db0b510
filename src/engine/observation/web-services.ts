import { fieldOf, type HttpResponse } from './http-response';

/** A service that speaks HTTP and identifies itself. */
interface WebService {
  readonly service: string;
  /** Whether another path must be requested, judging by the response for `/`. */
  readonly asks?: { readonly path: string; readonly isWorthIt: (answer: HttpResponse) => boolean };
  /** Whether the response for `/`, or for the other path, identifies the service. */
  readonly isIts: (answer: HttpResponse) => boolean;
}

const MOST_JSON = 65_536;

/** The fields of a JSON object; empty for anything else. */
function recordIn({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8', 0, MOST_JSON));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** The default response of Go programs for missing pages. */
const isGoDefault = ({ status, body }: HttpResponse): boolean =>
  status === 404 && body.toString('latin1', 0, 30) === '404 page not found\n';

export const WEB_SERVICES: readonly WebService[] = [
  {
    service: 'docker',
    isIts: (answer) =>
      fieldOf(answer, 'server').startsWith('Docker/') ||
      (fieldOf(answer, 'api-version') !== '' && fieldOf(answer, 'ostype') !== ''),
  },
  {
    service: 'kubernetes',
    isIts(answer) {
      const { kind, apiVersion, paths } = recordIn(answer);
      const isStatus = kind === 'Status' && apiVersion === 'v1';
      const listsApi = Array.isArray(paths) && paths.includes('/api') && paths.includes('/apis');
      return (isStatus || listsApi) && fieldOf(answer, 'audit-id') !== '';
    },
  },
  {
    service: 'elasticsearch',
    isIts(answer) {
      const { tagline } = recordIn(answer);
      return tagline === 'You Know, for Search' || fieldOf(answer, 'x-elastic-product') === 'Elasticsearch';
    },
  },
  {
    service: 'etcd-client',
    asks: { path: '/version', isWorthIt: isGoDefault },
    isIts(answer) {
      const { etcdserver, etcdcluster } = recordIn(answer);
      return typeof etcdserver === 'string' && typeof etcdcluster === 'string';
    },
  },
  {
    service: 'prometheus',
    asks: {
      path: '/api/v1/status/buildinfo',
      isWorthIt: (answer) => answer.status === 302 && /\/(?:graph|query)$/.test(fieldOf(answer, 'location')),
    },
    isIts(answer) {
      const { status, data } = recordIn(answer);
      return (
        status === 'success' && typeof data === 'object' && data !== null && 'goVersion' in data && 'version' in data
      );
    },
  },
];
