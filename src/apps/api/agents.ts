import type { Server } from 'node:http';
import type { Express, Request as Incoming, Response as Outgoing } from 'express';
import { packageVersion } from '../../kernel/package-version';
import { DomainError, forbidden, invalid } from '../../kernel/domain-error';
import { parseUrl } from '../../kernel/parse-url';
import type { ApiRequest, ApiResponse } from '../../platform/api/api-request';
import { type BasicCredentials, basicCredentials } from '../../platform/auth/basic-credentials';
import type { Config } from '../../platform/config/load-config';
import { apiUrlOf } from '../../platform/http/api-url';
import { ErrorFilter } from '../../platform/http/error.filter';
import { inProcessFetch } from '../../platform/http/in-process-fetch';
import { readBytes, refuseCompression } from '../../platform/http/request-bytes';
import { AgentCalls, requireOneMessage } from './agent-calls';

const MAX_BYTES = 256 * 1_024;
const BEARER = /^bearer +([^\s:]+):(\S+)$/i;
/** What the protocol reads of a request. Credentials stay here. */
const PASSED = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];

/** The MCP server, at /mcp. Its tools call /v1 in this process with the credentials of the caller. */
export function serveAgents(app: Pick<Express, 'all'>, server: Server, { API_URL }: Pick<Config, 'API_URL'>): void {
  const filter = new ErrorFilter();
  const calls = new AgentCalls();
  app.all('/mcp', (request, response) => {
    const serve = async (): Promise<void> => {
      requirePost(request, response);
      requireOwnHost(request, API_URL);
      refuseCompression(request);
      const credentials = credentialsOf(request);
      const body = await readBytes(request, MAX_BYTES);
      requireOneMessage(body);
      await send(
        await calls.answer(mcpRequest(request, response, body), credentials, fetchFor(server, request)),
        response,
      );
    };
    serve().catch((error: unknown) =>
      filter.answer(error, request as unknown as ApiRequest, response as unknown as ApiResponse),
    );
  });
}

/** The others have nothing to read here: there are no sessions. */
function requirePost({ method }: Incoming, response: Outgoing): void {
  if (method === 'POST') return;
  response.setHeader('Allow', 'POST');
  throw new DomainError('method_not_allowed', 'Send messages of MCP with POST.');
}

/**
 * A site that a browser shows may not use this server: neither as another origin, nor after its name was pointed at our address
 * (DNS rebinding). Without `API_URL` the service does not know its name.
 */
function requireOwnHost(request: Incoming, apiUrl: string | undefined): void {
  const own = parseUrl(apiUrlOf(request as unknown as ApiRequest));
  if (own === null) throw invalid('The Host header must name a host, with a port if it has one.');
  const { origin } = request.headers;
  if (origin !== undefined && origin !== own.origin)
    throw forbidden('Requests of web pages of other origins are not served here.');
  if (apiUrl !== undefined && hostOf(request) !== own.host && !isLoopback(hostOf(request)))
    throw forbidden(`The Host header must name ${own.host}, which API_URL sets.`);
}

const hostOf = (request: Incoming): string => ((request.host as string | undefined) ?? '').toLowerCase();
const isLoopback = (host: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);

/** Basic as everywhere, and Bearer for clients that know nothing else: `Bearer key:secret`. */
function credentialsOf(request: Incoming): BasicCredentials {
  const [, username, password] = BEARER.exec(request.headers.authorization ?? '') ?? [];
  const credentials =
    username !== undefined && password !== undefined ? { username, password } : basicCredentials(request);
  if (credentials !== undefined) return credentials;
  throw new DomainError(
    'unauthenticated',
    'Valid credentials are required: HTTP Basic with an API key and its secret, or Bearer with both and a colon between.',
  );
}

function mcpRequest(request: Incoming, response: Outgoing, body: Buffer): Request {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const headers = PASSED.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const { method } = request;
  return new Request('http://assay/mcp', {
    method,
    headers,
    signal: ended.signal,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
}

const fetchFor = (server: Server, request: Incoming) =>
  inProcessFetch(server, {
    address: request.ip ?? '',
    headers: {
      host: request.host || 'localhost',
      'x-request-id': (request as unknown as ApiRequest).requestId ?? '',
      'user-agent': `assay-mcp/${packageVersion} ${request.headers['user-agent'] ?? ''}`.trim(),
    },
  });

async function send(answer: Response, response: Outgoing): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.status(answer.status).end(body);
}
