import { exposedFile } from '../protocols/http/exposed-file';

const COMMAND =
  /^(?:sudo )?(?:cd|ls|ll|vim?|nano|git|ssh|scp|sftp|cat|mysql|mysqldump|psql|pg_dump|apt|apt-get|yum|dnf|systemctl|service|docker|docker-compose|kubectl|npm|npx|yarn|php|composer|wget|curl|chmod|chown|rm|cp|mv|mkdir|ln|exit|tar|zip|unzip|export|python3?|pip3?|history|crontab|ps|top|htop|kill|su|passwd|less|tail|head|grep|find|echo|clear|pwd|make|node|pm2|rsync|source|nginx|apachectl|a2ensite|certbot|df|du|free|whoami|useradd|usermod|ifconfig|ip|ping|touch|sed|screen|tmux|reboot|bash|sh)(?: [^<>]{0,500}[\w./~*"'|&;)-])?$/;
/** Bash writes the time on a line of its own, zsh before the command. */
const TIME = /^#\d{9,11}$/;
const ZSH_TIME = /^: \d{9,11}:\d{1,8};/;

function identify(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim().replace(ZSH_TIME, ''))
    .filter((line) => line !== '' && !TIME.test(line));
  const commands = lines.filter((line) => COMMAND.test(line.slice(0, 600)));
  return commands.length >= 2 && commands.length >= lines.length * 0.6
    ? 'it lists the commands that were typed on a server'
    : null;
}

export const exposedShellHistory = exposedFile(
  {
    id: 'exposed-shell-history',
    title: 'The command history of a server account is public',
    severity: 'high',
    cwe: [538],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    references: [
      'https://www.gnu.org/software/bash/manual/html_node/Bash-History-Facilities.html',
      'https://attack.mitre.org/techniques/T1552/003/',
    ],
    decides:
      'Requests `/.bash_history` and `/.zsh_history`. It is vulnerable if most lines of a response are commands of a shell. It is fixed when neither path returns such content.',
    text: `The history of a shell can be fetched from the web server, so the root of the site is the home folder of an account.
The history contains paths, names of other servers, and often passwords that were typed as part of a command.

**How to fix it.** Move the root of the site out of the home folder, and let the server answer 404 for names that begin
with a dot. Look through the history, and change every password and key in it: assume that attackers have read it.`,
  },
  ['/.bash_history', '/.zsh_history'].map((path) => ({ path, identify })),
);
