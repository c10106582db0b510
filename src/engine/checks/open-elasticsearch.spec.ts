import { createServer } from 'node:http';
import type { Reply, Service } from '../testing/target-server';
import { send } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { openElasticsearch } from './open-elasticsearch';

/** Answers the connections of the target with a real HTTP server. */
function serving(replies: Readonly<Record<string, Reply>>): Service {
  const server = createServer((request, response) =>
    send(response, replies[request.url ?? ''] ?? replies['*'] ?? { status: 404 }),
  );
  return (socket) => void server.emit('connection', socket);
}

function json(content: unknown, status = 200, headers = {}): Reply {
  const body = JSON.stringify(content, null, 2);
  const own = { 'content-type': 'application/json; charset=UTF-8', 'content-length': `${body.length}` };
  return { status, headers: { ...own, ...headers }, body };
}

/** Chunked, as proxies forward it. */
const inChunks = ({ headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: { ...headers, 'content-length': [], 'transfer-encoding': 'chunked' },
});

const about = (number: string, tagline = 'You Know, for Search') =>
  json({ name: 'node-1', cluster_name: 'shop', version: { number, lucene_version: '8.11.1' }, tagline });
const count = json({ count: 1234, _shards: { total: 3, successful: 3, skipped: 0, failed: 0 } });
const hits = json({ hits: { total: { value: 1234, relation: 'eq' } } });
const stats = json({ _all: { total: { docs: { count: 1234 } } } });
const denied = json(
  {
    error: {
      root_cause: [{ type: 'security_exception', reason: 'missing authentication credentials for REST request [/]' }],
      type: 'security_exception',
    },
    status: 401,
  },
  401,
  { 'www-authenticate': ['Basic realm="security" charset="UTF-8"', 'ApiKey'] },
);
const unauthorized = json(
  {
    error: {
      type: 'security_exception',
      reason: 'action [cluster:monitor/main] is unauthorized for user [_anonymous] with effective roles [monitoring]',
    },
    status: 403,
  },
  403,
);
const OPENSEARCH = 'The OpenSearch Project: https://opensearch.org/';
const barred = (realm: string): Reply => ({
  status: 401,
  headers: { 'www-authenticate': `Basic realm="${realm}"` },
  body: 'Unauthorized',
});

truthTable(openElasticsearch, {
  vulnerable: serving({ '/': about('7.17.9'), '/_count': count }),
  fixed: serving({ '*': denied }),
  alsoVulnerable: {
    'it is OpenSearch': serving({ '/': about('2.11.0', OPENSEARCH), '/_count': count }),
    'it answers in chunks': serving({ '/': inChunks(about('7.17.9')), '/_count': inChunks(count) }),
    'it refuses its name and one way to count': serving({
      '*': denied,
      '/_search?size=0&filter_path=hits.total': hits,
    }),
    'it refuses all but its statistics': serving({
      '*': denied,
      '/_stats/docs?filter_path=_all.total.docs.count': stats,
    }),
    'it is empty': serving({ '/': about('8.1.0'), '/_count': json({ count: 0 }) }),
  },
  alsoFixed: {
    'it is OpenSearch with its security': serving({ '*': barred('OpenSearch Security') }),
  },
  lookalikes: {
    'it refuses these requests to the anonymous user': serving({ '*': unauthorized }),
    'it refuses one of them to the anonymous user': serving({ '/': unauthorized, '*': denied }),
    'it tells its name, as one of two nodes may': serving({ '/': about('7.17.9'), '*': denied }),
    'its answer is a chunk without an end': (socket) =>
      void socket.once('data', () => socket.end('HTTP/1.1 401 No\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{')),
    'a proxy in front of it demands a password': serving({ '*': barred('Restricted') }),
    'a proxy refuses the data': serving({ '/': about('7.17.9'), '/_count': { status: 403, body: 'Forbidden' } }),
    'it is not ready': serving({ '/': about('7.17.9'), '/_count': json({ error: 'cluster_block_exception' }, 503) }),
    'it has become another web server': serving({ '/': { body: '<title>Shop</title>' } }),
    'it says its name, and fails': serving({ '/': { ...about('7.17.9'), status: 503 }, '/_count': count }),
    'its count fails': serving({ '/': about('7.17.9'), '/_count': { ...count, status: 500 } }),
    'its answer is cut short': (socket) =>
      void socket.once('data', () => socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 500\r\n\r\n{"type":')),
  },
});
