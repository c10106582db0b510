import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { assetPath, serveAssets } from './assets';

const MAX_BYTES = 60 * 1024;

it('the style sheet and the scripts of a page are at most 60 KB, compressed', async () => {
  const server: Server = createServer(express().use(serveAssets()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const files = [assetPath('portal.css'), assetPath('portal.js'), assetPath('htmx.js')];
  const answers = await Promise.all(files.map((path) => fetch(url + path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const bytes = texts.map((text) => gzipSync(text).length);
  expect(Math.min(...bytes)).toBeGreaterThan(1_000);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MAX_BYTES);
  await new Promise((resolve) => server.close(resolve));
});
