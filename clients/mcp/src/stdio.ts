import { serveStdio, type StdioServerHandle, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';

/** One server for a connection over standard input and output. */
export const serveAgent = (
  server: Parameters<typeof serveStdio>[0],
  stdin: NodeJS.ReadableStream,
  stdout: NodeJS.WritableStream,
): StdioServerHandle =>
  serveStdio(server, { transport: new StdioServerTransport(stdin as Readable, stdout as Writable) });
