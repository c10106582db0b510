import { placeOf } from '../check';
import { lookalikeSites } from '../testing/lookalike-sites';
import { probeSite } from '../testing/probe-site';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { exposedPageSource } from './exposed-page-source';

const SCRIPT = "<?php\nsession_start();\n$db = new PDO('mysql:host=db', 'shop', 'hush');\n";
const PAGE = '<!doctype html><title>Sign in</title>';
const PATH = '/shop/login.php';

const at = (path: string, body: string, page = PATH): Site => ({
  pages: { [page]: PAGE, [path]: { headers: { 'content-type': 'application/octet-stream' }, body } },
});

/** The sites answer everything else in the same way. */
const withPage = ({ answer }: Site): Site => ({
  pages: { [PATH]: PAGE },
  answer: (request) => (request.url === PATH ? null : (answer?.(request) ?? null)),
});

truthTable(exposedPageSource, {
  scheme: 'http',
  path: PATH,
  vulnerable: at('/shop/login.php.bak', SCRIPT),
  fixed: { pages: { [PATH]: PAGE } },
  alsoVulnerable: {
    'an editor kept the file as it was': at('/shop/login.php~', `\ufeff\r\n${SCRIPT}`),
    'it is an old version': at('/shop/login.php.old', SCRIPT),
    'a merge kept the file as it was': at('/shop/login.php.orig', '<?= $title ?>'),
    'an editor was ended': at('/shop/login.php.save', SCRIPT),
    'an editor has it open': at('/shop/.login.php.swp', 'b0VIM 9.1\0\0\0'),
  },
  softErrors: Object.fromEntries(Object.entries(lookalikeSites(SCRIPT)).map(([name, site]) => [name, withPage(site)])),
  alsoFixed: {
    'a copy of another page is public': at('/shop/other.php.bak', SCRIPT),
  },
  lookalikes: {
    'it is a text about scripts': at('/shop/login.php.bak', `Every script begins with ${SCRIPT}`),
    'the server runs it': at('/shop/login.php.bak', `${PAGE}<?xml version="1.0"?>`),
  },
});

describe('exposed-page-source', () => {
  const probed = (page: string, body: string) => probeSite(exposedPageSource, at(`${page}.bak`, body, page), page);

  it.each([
    ['/a.aspx', '<%@ Page Language="C#" %>\n'],
    ['/a.jsp', '<%@ page import="java.sql.*" %>\n'],
    ['/a.asp', '<%\nSet db = Server.CreateObject("ADODB.Connection")\n'],
    ['/a.cfm', '<cfquery name="all" datasource="shop">'],
    ['/cgi-bin/a.pl', '#!/usr/bin/perl -w\nuse DBI;\n'],
    ['/cgi-bin/a.py', '#! /usr/bin/env python3\nimport os\n'],
  ])('recognizes the source code of %s', async (page, body) => {
    expect(await probed(page, body)).toBe('vulnerable');
    expect(await probed(page, `<html>${body}</html>`)).toBe('not_vulnerable');
  });

  it('recognizes source code only in the language of the page', async () => {
    expect(await probed('/a.php', '<%@ Page Language="C#" %>\n')).toBe('not_vulnerable');
  });

  it.each(['/', '/shop/', '/login', '/index.html', '/app.js', '/.php', '/a.php/b'])('tests nothing at %s', (path) => {
    const target = { scheme: 'https', host: 'example.com', port: 443, path } as const;
    expect(placeOf(exposedPageSource, target)).toEqual({
      applicable: false,
      reason: 'the URL does not name a script',
    });
  });
});
