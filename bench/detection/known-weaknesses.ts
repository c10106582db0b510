import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationProcess } from '../../test/real/application-process';
import { fetchedApplications, inPhp } from '../../test/real/fetched-applications';
import { DATABASE, type TemporaryMariadb } from '../../test/real/temporary-mariadb';
import type { Benchmark } from './benchmark';
import { PYTHON } from './python';
import { fromTruth, type Truth } from './truth';

const DSVW: Truth = [
  ['SQL injection', '/', 'id'],
  ['SQL injection', '/login', 'password'],
  ['SQL injection', '/', 'comment'],
  ['cross-site scripting', '/', 'v'],
  ['cross-site scripting', '/', 'redir'],
  ['command injection', '/', 'domain'],
  ['path traversal', '/', 'path'],
  ['path traversal', '/', 'include'],
  ['open redirect', '/', 'redir'],
  ['header injection', '/', 'charset'],
];

const DVWA: Truth = [
  ['SQL injection', '/vulnerabilities/sqli/', 'id'],
  ['SQL injection', '/vulnerabilities/sqli_blind/', 'id'],
  ['SQL injection', '/vulnerabilities/brute/', 'username'],
  ['cross-site scripting', '/vulnerabilities/xss_r/', 'name'],
  ['path traversal', '/vulnerabilities/fi/', 'page'],
  ['open redirect', '/vulnerabilities/open_redirect/source/low.php', 'redirect'],
];

/** What its pages are labelled with, and the names that two of them repeat. */
const XVWA: Truth = [
  ['cross-site scripting', '/xvwa/vulnerabilities/reflected_xss/', 'item'],
  ['template injection', '/xvwa/vulnerabilities/ssti/', 'name'],
  ['cross-site scripting', '/xvwa/vulnerabilities/ssti/', 'name'],
  ['command injection', '/xvwa/vulnerabilities/cmdi/', 'target'],
  ['path traversal', '/xvwa/vulnerabilities/fi/', 'file'],
  ['open redirect', '/xvwa/vulnerabilities/redirect/redirect.php', 'forward'],
];

const xvwaConfiguration = ({ port }: TemporaryMariadb): string => `<?php
$XVWA_WEBROOT = '';
// It is written for versions of PHP in which statements that fail throw nothing.
mysqli_report(MYSQLI_REPORT_OFF);
$conn = new mysqli('127.0.0.1', '${DATABASE}', '${DATABASE}', '${DATABASE}', ${port});
$conn1 = new PDO('mysql:host=127.0.0.1;port=${port};dbname=${DATABASE}', '${DATABASE}', '${DATABASE}');
$conn1->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
`;

async function installXvwa(url: string): Promise<void> {
  const text = await (await fetch(`${url}xvwa/setup/?action=do`)).text();
  if (!text.includes('Setup finished')) throw new Error(`XVWA was not set up: ${text.slice(-2_000)}`);
}

/** Without its link to a page of 93 GB, which wapiti follows: it cannot exclude URLs on Python 3.11. */
const dsvwOn = (port: number): string => `
import dsvw
dsvw.CASES = tuple(case for case in dsvw.CASES if "size" not in str(case[1]))
dsvw.init()
dsvw.ThreadingServer(("127.0.0.1", ${port}), dsvw.ReqHandler).serve_forever()
`;

/** Applications whose weaknesses are few enough to be written down. */
export function knownApplications(folders: Readonly<Record<string, string | undefined>>): Benchmark[] {
  const applications = fetchedApplications(folders);
  const application = (name: string): Pick<Benchmark, 'name' | 'missing' | 'start'> => {
    const found = applications.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no application ${name}.`);
    return found;
  };
  return [
    {
      ...application('DVWA without login'),
      name: 'DVWA without login',
      folder: '/vulnerabilities/',
      entries: ['/vulnerabilities/sqli/'],
      seeds: [],
      ...fromTruth(DVWA),
    },
    {
      ...inPhp({
        name: 'XVWA',
        option: 'xvwa',
        folder: folders['xvwa'],
        file: 'vulnerabilities/ssti/vendor/twig/twig/lib/Twig/Autoloader.php',
        truth: [],
        under: 'xvwa',
        configure: (copy, database) => writeFileSync(join(copy, 'config.php'), xvwaConfiguration(database)),
        install: installXvwa,
      }),
      folder: '/xvwa/',
      entries: [],
      seeds: [],
      ...fromTruth(XVWA),
    },
    {
      ...application('DSVW'),
      async start({ port }) {
        const running = await ApplicationProcess.start(PYTHON, ['-c', dsvwOn(port)], {
          port,
          cwd: folders['dsvw'],
        });
        return () => running.stop();
      },
      folder: '/',
      entries: [],
      seeds: [],
      ...fromTruth(DSVW),
    },
  ];
}
