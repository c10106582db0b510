import { activeCheck } from '../active/active-check';
import { SQL_CALLBACKS } from '../active/callbacks/callback-syntax';
import { withCallbacks } from '../active/callbacks/with-callbacks';
import { sqlInjectionOracle } from '../active/oracles/sql-injection';

export const sqlInjection = activeCheck(
  {
    id: 'sql-injection',
    title: 'SQL injection',
    severity: 'critical',
    cwe: [89],
    owasp: ['A03:2021', 'A05:2025'],
    wstg: ['WSTG-INPV-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
      'https://portswigger.net/web-security/sql-injection',
    ],
    decides: `Adds conditions with random numbers to the value: a true one changes nothing or makes the statement return no rows, and a false one makes the statement fail. It is vulnerable if 30 answers follow conditions that are true or false at random, or if at least nine answers are late by random delays of at most 5 s, which PostgreSQL, MariaDB or MySQL waits once. With a [listener](callbacks.md), Oracle also calls it. It is fixed when neither changes the answer, and each answer is one that the value or a harmless word gets as well.`,
    text: `The application puts the value of a parameter into an SQL statement as text, so that the value can change the statement.
Attackers read, change and delete everything that the database account can reach, and on some servers run programs.

**How to fix it.** Send values to the database as parameters of a prepared statement, never as part of its text:
\`db.query('SELECT * FROM items WHERE id = $1', [id])\`. What cannot be a parameter, such as the column of \`ORDER BY\`, is
chosen from a list in the code. Check the other statements of the application too, and give its database account only the
rights that it needs.`,
  },
  withCallbacks(sqlInjectionOracle, SQL_CALLBACKS),
);
