import { type Conversation, dropping, saying } from './service-state';
import { between, byLine, said, served, type State } from './service-tables';

const REDIS: readonly State[] = [
  ...between('redisOpen', 'redisPassword'),
  served('the default user is off', 'fixed', 'redisOff'),
  said(
    'protected mode',
    'fixed',
    saying(
      '-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user.\r\n',
    ),
  ),
  served('commands renamed', 'hidden', 'redisRenamed'),
  served('a replica without its master', 'hidden', 'redisMaster'),
  served('everybody may write', 'hidden', 'redisWrites'),
  served('everybody may add to streams and publish', 'hidden', 'redisStreams'),
  served('everybody may change the configuration', 'hidden', 'redisConfig'),
  served('everybody may read by other commands', 'hidden', 'redisReads'),
  served('everybody may use some keys', 'hidden', 'redisKeys'),
  served('everybody may run scripts', 'hidden', 'redisScripts'),
  served('no commands of administrators', 'hidden', 'redisModest'),
  served('everybody may say hello', 'unknowable', 'redisNothing'),
  said(
    'loading its data',
    'unknowable',
    byLine(() => '-LOADING Redis is loading the dataset in memory'),
  ),
  said('too many clients', 'unknowable', saying('-ERR max number of clients reached\r\n')),
  said(
    'a proxy that knows no command',
    'unknowable',
    byLine(() => '-ERR unknown command'),
  ),
  said('protected mode, cut off', 'unknowable', saying('-DENIED')),
  said('TLS alone', 'unknowable', saying(Buffer.from('15030300020246', 'hex'))),
  said(
    'another cluster node',
    'hidden',
    byLine(() => '-MOVED 3999 11.88.0.9:6379'),
  ),
  said(
    'a login for all but transactions',
    'hidden',
    byLine((line) => (/^(?:MULTI|EXEC|EVAL)/.test(line) ? '+OK' : '-NOAUTH Authentication required.')),
  ),
];

const MEMCACHED: readonly State[] = [
  ...between('memcachedOpen', 'memcachedUsers'),
  served('the text protocol alone', 'weak', 'memcachedText'),
  said(
    'ERROR for everything',
    'unknowable',
    byLine(() => 'ERROR'),
  ),
  said(
    'out of memory',
    'unknowable',
    byLine(() => 'SERVER_ERROR out of memory'),
  ),
  said(
    'a proxy that knows no command',
    'unknowable',
    byLine(() => 'CLIENT_ERROR Command not supported'),
  ),
  said(
    'a login for keys, not for the version',
    'hidden',
    byLine((line) => (line === 'version' ? 'VERSION 1.6.29' : 'CLIENT_ERROR unauthenticated')),
  ),
  said(
    'a login for the version, not for keys',
    'hidden',
    byLine((line) => (line.startsWith('get ') ? 'END' : 'CLIENT_ERROR unauthenticated')),
  ),
];

const ftpServer = (user: string, password = '530 Login incorrect.', greeting = '220 Library'): Conversation =>
  byLine((line) => (line.startsWith('USER') ? user : line.startsWith('PASS') ? password : '500 Unknown'), greeting);
const ASKS = '331 Please specify the password.';

const FTP: readonly State[] = [
  ...between('ftpOpen', 'ftpShut'),
  served('lists and files refused after the login', 'weak', 'ftpWithoutLists'),
  served('no password wanted, lists refused', 'weak', 'ftpWithoutPassword'),
  served('"anonymous" refused, "ftp" let in', 'hidden', 'ftpAlias'),
  said(
    'another server refuses',
    'fixed',
    ftpServer('331 Password required for anonymous', undefined, '220 ProFTPD Server ready.'),
  ),
  said('encryption wanted', 'unknowable', ftpServer('530 Anonymous sessions must use encryption.')),
  said(
    'too many users',
    'unknowable',
    ftpServer(ASKS, '530 Sorry, the maximum number of clients (10) are already connected.'),
  ),
  said('too many users, by 421', 'unknowable', saying('421 There are too many connected users, please try later.\r\n')),
  said('outside of office hours', 'hidden', ftpServer(ASKS, '530 Access is allowed only during office hours.')),
  said('refused by address', 'hidden', ftpServer(ASKS, '530 Access from your host is not allowed.')),
  said(
    'the home directory is missing',
    'hidden',
    ftpServer(ASKS, '530 User cannot log in, home directory inaccessible.'),
  ),
  said('the root directory is missing', 'unknowable', ftpServer(ASKS, '500 OOPS: cannot change directory:/srv/ftp')),
  said('an account is wanted after the password', 'unknowable', ftpServer(ASKS, '332 Need account for login.')),
];

type Answer = readonly [status: number, body: object, field?: string];
const elasticsearch =
  (answer: (path: string) => Answer): Conversation =>
  (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      for (const [, path = ''] of bytes.toString('latin1').matchAll(/GET (\S+) HTTP/g)) {
        const [status, body, line = 'X-Elastic-Product: Elasticsearch'] = answer(path);
        const text = JSON.stringify(body);
        const head = `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\n${line}\r\ncontent-length: ${text.length}\r\n\r\n`;
        socket.write(head + text);
      }
    });
  };

const ROOT = { name: 'shelf', version: { number: '8.15.0' }, tagline: 'You Know, for Search' };
const shows = (path: string): Answer => {
  if (path === '/') return [200, ROOT];
  if (path.includes('_count')) return [200, { count: 12 }];
  return [
    200,
    path.includes('_search') ? { hits: { total: { value: 12 } } } : { _all: { total: { docs: { count: 12 } } } },
  ];
};
const asksLogin = (): Answer => [
  401,
  { error: { type: 'security_exception', reason: 'missing authentication credentials' }, status: 401 },
  'WWW-Authenticate: Basic realm="security"',
];
const mixed = (isOpen: (path: string) => boolean): Conversation =>
  elasticsearch((path) => (isOpen(path) ? shows(path) : asksLogin()));
const alternating = (): Conversation => (socket, connection) =>
  (connection % 2 === 0 ? mixed(() => false) : mixed(() => true))(socket, connection);

const ELASTICSEARCH: readonly State[] = [
  said('as it was', 'weak', elasticsearch(shows)),
  said('fixed', 'fixed', elasticsearch(asksLogin)),
  said(
    'a login for the catalog alone',
    'weak',
    mixed((path) => !path.includes('_cat')),
  ),
  said(
    'a login for the root alone',
    'weak',
    mixed((path) => path !== '/'),
  ),
  said(
    'a login for all but counts',
    'weak',
    mixed((path) => path.includes('_count')),
  ),
  said(
    'a login for all but searches',
    'hidden',
    mixed((path) => path.includes('_search')),
  ),
  said(
    'a login of nginx',
    'unknowable',
    elasticsearch(() => [401, {}, 'Server: nginx\r\nWWW-Authenticate: Basic realm="ES"']),
  ),
  said(
    'the cluster is blocked',
    'unknowable',
    elasticsearch((path) => (path === '/' ? [200, ROOT] : [503, { error: { type: 'cluster_block_exception' } }])),
  ),
  said(
    'indices are forbidden',
    'unknowable',
    elasticsearch((path) => (path === '/' ? [200, ROOT] : [403, { error: { type: 'security_exception' } }])),
  ),
  { name: 'every second connection weak', truth: 'hidden', begin: alternating },
  said('closed after the connection', 'unknowable', dropping),
];

export interface ServiceWeakness {
  readonly check: string;
  readonly port: number;
  /** The program without which its states are left out; null for none. */
  readonly program: string | null;
  readonly states: readonly State[];
}

/** The first state of each shows the weakness. */
export const SERVICE_WEAKNESSES: readonly ServiceWeakness[] = [
  { check: 'open-redis', port: 6379, program: 'redis-server', states: REDIS },
  { check: 'open-memcached', port: 11211, program: 'memcached', states: MEMCACHED },
  { check: 'anonymous-ftp', port: 21, program: 'vsftpd', states: FTP },
  { check: 'open-elasticsearch', port: 9200, program: null, states: ELASTICSEARCH },
];
