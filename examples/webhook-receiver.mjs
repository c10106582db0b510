// Receives webhooks of Assay and prints what it has verified: WEBHOOK_KEY=whsec_… PORT=8080 node webhook-receiver.mjs
// WEBHOOK_KEY is the secret (whsec_…), or the public key of an Ed25519 signature (whpk_…).
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const [, kind, text] = /^(whsec|whpk)_(.+)$/.exec(process.env.WEBHOOK_KEY ?? '') ?? [];
if (kind === undefined) throw new Error('Set WEBHOOK_KEY to the secret or the public key of the webhook.');
const key = Buffer.from(text, 'base64');
const publicKey = () =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]),
    format: 'der',
    type: 'spki',
  });

const isValid = (signed, signature) => {
  const [version, value = ''] = signature.split(',');
  const bytes = Buffer.from(value, 'base64');
  if (kind === 'whpk') return version === 'v1a' && verify(null, signed, publicKey(), bytes);
  const expected = createHmac('sha256', key).update(signed).digest();
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
};

const seen = new Set(); // Keep the ids in your database: a message may come again.
const statusOf = async (request) => {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(request.headers[`webhook-${name}`]),
  );
  const body = await buffer(request); // The bytes as they came: JSON that is written again has another signature.
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) < 300;
  if (!isRecent || !signatures.split(' ').some((one) => isValid(signed, one))) return 401;
  if (!seen.has(id)) console.log(id, body.toString());
  seen.add(id);
  return 204; // Answer within 10 seconds, and work afterwards.
};
const server = createServer((request, response) => {
  void statusOf(request).then((status) => response.writeHead(status).end());
});
server.listen(Number(process.env.PORT ?? 8080), () => console.log(`Listening on port ${server.address().port}`));
