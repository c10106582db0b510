import { PendingHandshakes } from './pending-handshakes';

let port = 0;
const peer = (remoteAddress: string) => ({ remoteAddress, remotePort: (port += 1) });

describe('connections without a handshake', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['an IPv4 address in the form of IPv6', '192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['the /64 of an IPv6 address', '2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'],
  ])('are limited for %s', (_name, first, same, other) => {
    const pending = new PendingHandshakes(10, 2);
    expect([pending.add(peer(first)), pending.add(peer(first))]).toEqual([null, null]);
    expect(pending.add(peer(same))).toMatch(/^2 connections of .* have not ended their handshake$/);
    expect(pending.add(peer(other))).toBeNull();
  });

  it('are limited in total', () => {
    const pending = new PendingHandshakes(3, 2);
    for (const last of [1, 2, 3]) expect(pending.add(peer(`192.0.2.${last}`))).toBeNull();
    expect(pending.add(peer('192.0.2.4'))).toBe('3 connections have not ended their handshake');
  });

  it('make room when they end', () => {
    const pending = new PendingHandshakes(10, 1);
    const first = peer('192.0.2.1');
    expect(pending.add(first)).toBeNull();
    expect(pending.add(peer('192.0.2.1'))).not.toBeNull();
    pending.remove(first);
    expect(pending.add(peer('192.0.2.1'))).toBeNull();
  });

  it('are refused when they have disconnected already', () => {
    expect(new PendingHandshakes(10, 1).add({ remoteAddress: undefined, remotePort: undefined })).not.toBeNull();
  });
});
