import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { onRealServer } from '../testing/on-real-server';
import { anonymousFtp } from './anonymous-ftp';

/** Greets, and answers each command. */
const answering =
  (greeting: string, user: string, password: string): Service =>
  (socket) => {
    socket.write(`${greeting}\r\n`);
    socket.on('data', (data) => socket.write(`${data.toString().startsWith('USER ') ? user : password}\r\n`));
  };

const GREETING = '220 Welcome';
const WANTED = '331 Please specify the password.';
const IN = '230 Login successful.';
const REFUSED = '530 Login incorrect.';
const refusing = (reason: string): Service => answering(GREETING, WANTED, reason);

truthTable(anonymousFtp, {
  vulnerable: answering(GREETING, WANTED, IN),
  fixed: answering(GREETING, WANTED, REFUSED),
  alsoVulnerable: {
    'it wants no password': answering(GREETING, IN, '503 Already logged in.'),
    'it talks much': answering(
      '220-Welcome\r\n220-230 files are here\r\n220 Enjoy',
      WANTED,
      '230-Rules:\r\n 530 rules in all\r\n230 Logged in',
    ),
  },
  alsoFixed: {
    'it refuses the name at once': answering(GREETING, '530 Permission denied.', '503 Login with USER first.'),
    'it refuses at length': answering(GREETING, WANTED, '530-Sorry.\r\n530 This FTP server is private.'),
  },
  lookalikes: {
    'it is full': refusing('530 Sorry, the maximum number of clients (10) are already connected.'),
    'it is busy': answering('421 Too many connections from your address.', REFUSED, REFUSED),
    'it is busy, and refuses everybody': (socket) =>
      void socket.on('data', () => socket.write('421 Too many connections.\r\n530 Login incorrect.\r\n')),
    'it demands TLS for everything': answering(GREETING, '530 Anonymous sessions must use encryption.', REFUSED),
    'it is open at other hours': refusing('530 Access is allowed only during office hours.'),
    'the folder of the user is missing': refusing('530 User cannot log in, home directory inaccessible.'),
    'it refuses every user': refusing('530 Connections from your address are not allowed.'),
    'it demands TLS in other words': answering(GREETING, '503 Use AUTH first.', '503 Login with USER first.'),
    'its accounts cannot be read': refusing('431 Unable to access the accounts.'),
    'it is a mail server': answering('220 mx.target.test ESMTP', '502 Command not implemented', '502 No'),
  },
});

const configured = (...lines: string[]) => ({
  args: async (port: number, folder: string) => {
    const root = join(folder, 'public');
    await mkdir(root, { mode: 0o555 });
    const file = join(folder, 'vsftpd.conf');
    const common = [
      'listen=YES',
      'background=NO',
      'listen_address=127.0.0.1',
      `listen_port=${port}`,
      'run_as_launching_user=YES',
      'seccomp_sandbox=NO',
      'xferlog_enable=NO',
      'delay_failed_login=0',
      `anon_root=${root}`,
      `secure_chroot_dir=${root}`,
    ];
    await writeFile(file, `${[...common, ...lines].join('\n')}\n`);
    return [file];
  },
});

onRealServer(anonymousFtp, 'vsftpd', {
  'with anonymous logins': { state: 'vulnerable', ...configured('anonymous_enable=YES', 'local_enable=NO') },
  'with an anonymous login without password': {
    state: 'vulnerable',
    ...configured('anonymous_enable=YES', 'local_enable=NO', 'no_anon_password=YES'),
  },
  'without anonymous logins': {
    state: 'not_vulnerable',
    ...configured(
      'anonymous_enable=NO',
      'local_enable=YES',
      'userlist_enable=YES',
      'userlist_deny=NO',
      'userlist_file=/dev/null',
    ),
  },
});
