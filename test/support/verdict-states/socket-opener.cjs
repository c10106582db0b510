const { createSocket } = require('node:dgram');
const { createServer } = require('node:net');

/** Runs inside a network namespace, and hands each socket that it opens to the tests, which run outside. */
process.on('message', ({ id, kind, address, port }) => {
  const failed = (error) => process.send({ id, error: `${address}:${port}: ${error.message}` });
  if (kind === 'tcp') {
    const server = createServer().once('error', failed);
    server.listen({ host: address, port, backlog: 511 }, () => process.send({ id }, server, () => server.close()));
  } else {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4').once('error', failed);
    socket.bind(port, address, () => process.send({ id }, socket, () => socket.close()));
  }
});
process.on('disconnect', () => process.exit());
process.send({ id: 0 });
