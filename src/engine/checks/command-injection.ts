import { activeCheck } from '../active/active-check';
import { SHELL_CALLBACKS } from '../active/callbacks/callback-syntax';
import { withCallbacks } from '../active/callbacks/with-callbacks';
import { commandInjectionOracle } from '../active/oracles/command-injection';

export const commandInjection = activeCheck(
  {
    id: 'command-injection',
    title: 'OS command injection',
    severity: 'critical',
    cwe: [78],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-INPV-12'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
      'https://portswigger.net/web-security/os-command-injection',
    ],
    decides: `Adds arithmetic with random numbers to the value, as shells and \`cmd.exe\` write it in the usual places of a command, and \`sleep\`. No other command is sent without a listener, and what ends the command of the application (\`;\`, \`|\`, a line break) is sent last. It is vulnerable if the answers contain the results of three computations, but not those of the same computations in quotes, or if at least nine answers are late by random delays of at most 5 s. With a [listener](callbacks.md), \`curl\` and \`wget\` also call it. It is fixed when neither happens, and each answer is one that the value or a harmless word gets as well.`,
    text: `The application starts a program through a shell, and the value of a parameter is part of its command line. Attackers run
any command with the rights of the application: they read its secrets, change its data and reach other machines from there.

**How to fix it.** Do what the command does with a function of your language. Where a program is needed, start it without a
shell, with a list of arguments: \`execFile('ping', ['-c', '1', '--', host])\`, \`subprocess.run([...])\` without \`shell=True\`.
Accept only values of the form that you expect, such as an address. Escaping is no substitute: it differs between shells.`,
  },
  withCallbacks(commandInjectionOracle, SHELL_CALLBACKS),
);
