import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationProcess, programNamed } from './application-process';

/** Where an application listens, and the URL under which Assay tests it. */
export interface Listening {
  readonly port: number;
  readonly url: string;
}

export interface RealApplication {
  readonly name: string;
  /** What has to be installed or fetched; null if everything is there. */
  readonly missing: string | null;
  /** Returns how to stop it. */
  start(at: Listening): Promise<() => Promise<void>>;
  /** The findings that are true, such as `missing-nosniff /`. All others are false. */
  readonly truth: readonly string[];
}

const SAMPLES = join(__dirname, 'applications');

/** Of every application without HTTPS and without headers that protect pages. */
export const PLAIN: readonly string[] = [
  'no-https-redirect /',
  'weak-csp /',
  'missing-nosniff /',
  'missing-frame-protection /',
];

const missingProgram = (name: string): string | null =>
  programNamed(name) === null ? `${name} is not installed` : null;

/** A folder that is deleted when the application stops. */
async function inFolder(start: (folder: string) => Promise<ApplicationProcess>): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-application-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const running = await start(folder);
    return async () => {
      await running.stop();
      remove();
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const onNode = (name: string, file: string, truth: readonly string[]): RealApplication => ({
  name,
  missing: null,
  truth,
  async start({ port }) {
    const running = await ApplicationProcess.start(process.execPath, [join(SAMPLES, file), String(port)], { port });
    return () => running.stop();
  },
});

const staticPages = (folder: string): void => {
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>A site</title><h1>A site</h1><a href="/about.html">About</a>',
  );
  writeFileSync(join(folder, 'about.html'), '<!doctype html><title>About</title><h1>About the site</h1>');
};

const nginxConfiguration = (folder: string, port: number): string => `
pid ${folder}/pid;
daemon off;
master_process off;
events {}
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  types { text/html html; }
  server { listen 127.0.0.1:${port}; root ${folder}; }
}`;

/** Applications that need nothing that has to be fetched. */
export const OWN_APPLICATIONS: readonly RealApplication[] = [
  {
    name: 'http.server of Python',
    missing: missingProgram('python3'),
    truth: [...PLAIN, 'server-version /'],
    start: ({ port }) =>
      inFolder((folder) => {
        staticPages(folder);
        const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder];
        return ApplicationProcess.start('python3', args, { port });
      }),
  },
  {
    name: 'WSGI application (Python)',
    missing: missingProgram('python3'),
    truth: [...PLAIN, 'server-version /', 'cookie-without-samesite /'],
    async start({ port }) {
      const running = await ApplicationProcess.start('python3', [join(SAMPLES, 'wsgi-application.py'), String(port)], {
        port,
      });
      return () => running.stop();
    },
  },
  onNode('Express application', 'express-application.cjs', [...PLAIN, 'cookie-without-samesite /']),
  onNode('application like Next.js', 'next-application.cjs', PLAIN),
  onNode('application like Spring Boot', 'spring-application.cjs', [...PLAIN, 'cookie-without-samesite /']),
  onNode('single-page application like Grafana', 'single-page-application.cjs', ['no-https-redirect /', 'weak-csp /']),
  {
    name: 'static site on nginx',
    missing: missingProgram('nginx'),
    truth: [...PLAIN, 'server-version /'],
    start: ({ port }) =>
      inFolder((folder) => {
        staticPages(folder);
        writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(folder, port));
        const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
        return ApplicationProcess.start(programNamed('nginx') ?? 'nginx', args, { port });
      }),
  },
  {
    name: 'development server of PHP',
    missing: missingProgram('php'),
    truth: [...PLAIN, 'cookie-without-httponly /', 'cookie-without-samesite /', 'technology-version /'],
    async start({ port }) {
      const args = ['-S', `127.0.0.1:${port}`, join(SAMPLES, 'index.php')];
      const running = await ApplicationProcess.start('php', args, { port });
      return () => running.stop();
    },
  },
];
