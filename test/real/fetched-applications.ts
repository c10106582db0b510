import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationProcess, programNamed } from './application-process';
import { type Listening, PLAIN, type RealApplication } from './applications';
import { DATABASE, TemporaryMariadb } from './temporary-mariadb';

/** The options with the folders of sources that were fetched before the tests. */
export const FETCHED_FOLDERS = ['dsvw', 'dvwa', 'wordpress'] as const;

function missingOf(option: string, folder: string | undefined, file: string, program: string): string | null {
  if (folder === undefined) return `state its folder with --${option}`;
  if (!existsSync(join(folder, file))) return `${folder} has no ${file}`;
  return programNamed(program) === null ? `${program} is not installed` : null;
}

interface PhpApplication {
  readonly name: string;
  /** Names the folder. */
  readonly option: string;
  readonly folder: string | undefined;
  /** A file of its sources. */
  readonly file: string;
  readonly truth: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of the URL, where its links need one. */
  readonly under?: string;
  configure(copy: string, database: TemporaryMariadb): void;
  install(url: string): Promise<void>;
}

/** An application in PHP with a database, on a copy of its sources. */
export const inPhp = ({
  name,
  option,
  folder,
  file,
  truth,
  env = {},
  under = '',
  configure,
  install,
}: PhpApplication): RealApplication => ({
  name,
  missing: missingOf(option, folder, file, 'php') ?? TemporaryMariadb.missing,
  truth,
  async start({ port, url }: Listening) {
    const root = mkdtempSync(join(tmpdir(), 'assay-application-'));
    const copy = join(root, under);
    const database = await TemporaryMariadb.start();
    let running: ApplicationProcess | undefined;
    const stop = async (): Promise<void> => {
      await running?.stop();
      await database.stop();
      rmSync(root, { recursive: true, force: true });
    };
    try {
      cpSync(folder ?? '', copy, { recursive: true, dereference: true, filter: (path) => !path.endsWith('.htaccess') });
      configure(copy, database);
      const server = {
        DB_SERVER: '127.0.0.1',
        DB_PORT: String(database.port),
        DB_USER: DATABASE,
        DB_PASSWORD: DATABASE,
        DB_DATABASE: DATABASE,
      };
      const args = ['-S', `127.0.0.1:${port}`, '-t', root];
      running = await ApplicationProcess.start('php', args, {
        port,
        cwd: copy,
        env: { ...server, ...env },
      });
      await install(url);
      return stop;
    } catch (error) {
      await stop();
      throw error;
    }
  },
});

async function installDvwa(url: string): Promise<void> {
  const form = await fetch(`${url}setup.php`);
  const token = /name='user_token' value='(\w+)'/.exec(await form.text())?.[1] ?? '';
  const cookie = form.headers
    .getSetCookie()
    .map((field) => field.split(';', 1)[0])
    .join('; ');
  const body = new URLSearchParams({ create_db: 'Create / Reset Database', user_token: token });
  const text = await (await fetch(`${url}setup.php`, { method: 'POST', headers: { cookie }, body })).text();
  if (!text.includes('Setup successful')) throw new Error(`DVWA was not set up: ${text.slice(-2_000)}`);
}

const dvwa = (
  name: string,
  folder: string | undefined,
  env: Record<string, string>,
  truth: readonly string[],
): RealApplication =>
  inPhp({
    name,
    option: 'dvwa',
    folder,
    file: 'config/config.inc.php.dist',
    truth,
    env,
    configure: (copy) => cpSync(join(copy, 'config/config.inc.php.dist'), join(copy, 'config/config.inc.php')),
    install: installDvwa,
  });

async function installWordpress(url: string): Promise<void> {
  const body = new URLSearchParams({
    weblog_title: 'A site',
    user_name: 'admin',
    admin_password: 'a long password of the admin',
    admin_password2: 'a long password of the admin',
    admin_email: 'admin@example.com',
    blog_public: '0',
  });
  const text = await (await fetch(`${url}wp-admin/install.php?step=2`, { method: 'POST', body })).text();
  if (!text.includes('wp-login.php')) throw new Error(`WordPress was not installed: ${text.slice(-2_000)}`);
}

const wordpressConfiguration = ({ port }: TemporaryMariadb): string => `<?php
define('DB_NAME', '${DATABASE}');
define('DB_USER', '${DATABASE}');
define('DB_PASSWORD', '${DATABASE}');
define('DB_HOST', '127.0.0.1:${port}');
define('DB_CHARSET', 'utf8mb4');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

const DVWA = [...PLAIN, 'technology-version /', 'exposed-deployment-file /'];

export function fetchedApplications(folders: Readonly<Record<string, string | undefined>>): RealApplication[] {
  const { dsvw } = folders;
  return [
    {
      name: 'DSVW',
      missing: missingOf('dsvw', dsvw, 'dsvw.py', 'python3'),
      truth: [...PLAIN, 'server-version /', 'open-redirect /', 'reflected-input /'],
      async start({ port }) {
        const program = `import dsvw; dsvw.init(); dsvw.ThreadingServer(("127.0.0.1", ${port}), dsvw.ReqHandler).serve_forever()`;
        const running = await ApplicationProcess.start('python3', ['-c', program], { port, cwd: dsvw });
        return () => running.stop();
      },
    },
    dvwa('DVWA with login', folders['dvwa'], {}, [...DVWA, 'login-over-http /']),
    dvwa('DVWA without login', folders['dvwa'], { DISABLE_AUTHENTICATION: 'true', DEFAULT_SECURITY_LEVEL: 'low' }, [
      ...DVWA,
      'exposed-phpinfo /',
      'open-redirect /',
      'cookie-without-httponly /',
      'cookie-without-samesite /',
    ]),
    inPhp({
      name: 'WordPress',
      option: 'wordpress',
      folder: folders['wordpress'],
      file: 'wp-settings.php',
      truth: [...PLAIN, 'technology-version /'],
      configure: (copy, database) => writeFileSync(join(copy, 'wp-config.php'), wordpressConfiguration(database)),
      install: installWordpress,
    }),
  ];
}
