import { exposedDownload } from '../protocols/http/exposed-download';

/** The first lines of dumps, by tool. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^(?:\/\*M?![^\n]{0,100}\n)?-- (?:MySQL|MariaDB) dump \d/, 'it is a dump of MySQL or MariaDB'],
  [/^-- phpMyAdmin SQL Dump\r?\n/, 'it is a dump that phpMyAdmin made'],
  [/^--\r?\n-- PostgreSQL database (?:cluster )?dump\r?\n/, 'it is a dump of PostgreSQL'],
  [/^PGDMP\p{Cc}/u, 'it is a dump of PostgreSQL'],
  [/^PRAGMA foreign_keys=OFF;\r?\nBEGIN TRANSACTION;/, 'it is a dump of SQLite'],
  [/^SQLite format 3\p{Cc}/u, 'it is a database of SQLite'],
  [
    /^(?:\s{0,10}(?:--|\/\*|SET |DROP |USE |CREATE DATABASE )[^\n]{0,500}\n){0,50}\s{0,10}(?:CREATE TABLE|INSERT INTO) [^\n]{0,300}\(/,
    'it holds the statements that build a database',
  ],
];

function identify(start: Buffer): string | null {
  const text = start.toString('latin1');
  return BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1] ?? null;
}

export const exposedDatabaseDump = exposedDownload(
  {
    id: 'exposed-database-dump',
    title: 'A dump of a database is public',
    severity: 'critical',
    cwe: [530, 538],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
    references: [
      'https://www.postgresql.org/docs/current/app-pgdump.html',
      'https://dev.mysql.com/doc/refman/8.4/en/mysqldump.html',
    ],
    decides:
      'Requests the first bytes of typical names such as `/dump.sql`, `/backup.sql` and the host name with `.sql`. It is vulnerable if they are the beginning of a database dump or of an SQLite database. It is fixed when no path returns such content.',
    text: `A copy of a database can be fetched from the web server: all data of the application, with the passwords
and the personal data of its users.

**How to fix it.** Delete the file from the server, and write dumps to a place outside the root of the site. Assume
that it has been read: change the passwords and keys in it, and find out whether you must notify the
affected people.`,
    inFolders: true,
  },
  (host) => ['/dump.sql', '/backup.sql', '/database.sql', '/db.sqlite3', `/${host}.sql`],
  identify,
);
