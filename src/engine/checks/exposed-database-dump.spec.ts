import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedDatabaseDump } from './exposed-database-dump';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'application/octet-stream' }, body } },
});

const DUMP = '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n-- Host: localhost    Database: shop\n';

truthTable(exposedDatabaseDump, {
  scheme: 'http',
  vulnerable: at('/dump.sql', DUMP),
  fixed: {},
  alsoVulnerable: {
    'it is named as the host': at('/target.test.sql', '--\n-- PostgreSQL database dump\n--\n'),
    'it is a database itself': at('/db.sqlite3', 'SQLite format 3\0\x10'),
    'MariaDB begins with a comment of its own': at(
      '/database.sql',
      `/*M!999999\\- enable the sandbox mode */ \n${DUMP}`,
    ),
    'it was written by hand': at(
      '/backup.sql',
      "SET NAMES utf8;\nINSERT INTO `users` (`id`, `name`) VALUES (1, 'Eve');\n",
    ),
    'only a part of it was asked for': {
      answer: ({ url, headers: { range } }) =>
        url === '/dump.sql' && range === 'bytes=0-16383' ? { status: 206, body: DUMP } : null,
    },
  },
  softErrors: lookalikeSites(DUMP),
  lookalikes: {
    'it speaks of a table': at('/dump.sql', 'To create it, use CREATE TABLE users (id int);\n'),
    'it is a comment': at('/dump.sql', '-- not found\n'),
  },
});
