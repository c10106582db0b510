import type { IncomingMessage } from 'node:http';
import { DomainError, invalid } from '../../kernel/domain-error';
import { requireAccess } from '../api/standing-access';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function refuseCompression({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw new DomainError('unsupported_media_type', 'The body must not be compressed: send it without Content-Encoding.');
}

export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const bytes = await receive(request, maxBytes);
  await requireAccess(request);
  return bytes;
}

/** Uses events, since leaving an iteration early destroys the socket before the error response is sent. */
function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new DomainError('too_large', `The body must be at most ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(invalid('The body ended before it was complete.')));
    request.once('close', () => reject(invalid('The body ended before it was complete.')));
  });
}
