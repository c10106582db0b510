import { randomUUID } from 'node:crypto';
import type { WebTarget } from '../target';
import type { Transport, Via } from '../transport/transport';

/**
 * Why an address does not prove that active tests may be sent to it; null if it does. A response with the secret, which no
 * request contains, comes from somebody who knows it. The second request shows that the file itself answers, not every path.
 */
export async function missingProofFile(
  transport: Transport,
  { scheme, host, port }: WebTarget,
  { path, body }: { readonly path: string; readonly body: string },
  via: Via & { readonly address: string },
): Promise<string | null> {
  const ask = async (asked: string) => (await transport.http({ scheme, host, port, path: asked }, via)).value;
  const { status, text } = await ask(path);
  if (status !== 200) return `it responds with ${status}`;
  if (text.replace(/\r?\n$/, '') !== body) return 'the file contains something else';
  const beside = await ask(path.replace(/[^/]*$/, `assay-${randomUUID()}.txt`));
  return beside.text.includes(body) ? 'it gives the same for a path that does not exist' : null;
}
