import {
  COMMON_PORTS,
  isSilentPort,
  MAX_CHOSEN_PORTS,
  parsePorts,
  PORTS_OF_NAMES,
  portsText,
  portsToTry,
} from './ports';

describe('the ports to observe', () => {
  it('are four for a name, two for a hosted one, and a hundred behind a beacon', () => {
    expect(PORTS_OF_NAMES).toEqual([80, 443, 8080, 8443]);
    expect(new Set(COMMON_PORTS).size).toBe(100);
  });

  it('have some among them to which nothing is sent: those of printers and controllers', () => {
    const silent = Array.from({ length: 65_536 }, (_one, port) => port).filter(isSilentPort);
    expect(silent).toEqual([
      102, 502, 515, 789, 1089, 1090, 1091, 1911, 2404, 4840, 4911, 9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107,
      9600, 18_245, 20_000, 44_818, 47_808,
    ]);
  });

  it('never include a port of a printer or a controller by default, as part of a range or of all ports', () => {
    const chosen = [COMMON_PORTS, PORTS_OF_NAMES, parsePorts('500-520, 9090-9110'), portsToTry('all')].flat();
    expect(chosen.filter((port) => typeof port === 'number' && isSilentPort(port))).toEqual([]);
  });

  it('include such a port where an admin names it by itself', () => {
    expect(parsePorts('80,515')).toEqual([80, 515]);
  });

  it.each([
    ['80', [80]],
    ['443, 80,443', [80, 443]],
    ['8000-8003', [8000, 8001, 8002, 8003]],
    ['1,65535', [1, 65_535]],
    ['all', 'all'],
  ])('are read from "%s"', (text, expected) => {
    expect(parsePorts(text)).toEqual(expected);
  });

  it('may be a thousand', () => {
    expect(parsePorts(`3001-${3000 + MAX_CHOSEN_PORTS}`)).toHaveLength(1_000);
  });

  it.each([
    ['', /^observe_ports contains "", which is not a port from 1 to 65535/],
    ['0', /^observe_ports contains "0", which is not a port/],
    ['65536', /^observe_ports contains "65536", which is not a port/],
    ['90-80', /^observe_ports contains "90-80", which is not a port/],
    ['80,', /^observe_ports contains "", which is not a port/],
    ['http', /^observe_ports contains "http", which is not a port/],
    ['80 81', /^observe_ports contains "80 81", which is not a port/],
    ['-5', /^observe_ports contains "-5", which is not a port/],
    ['80,all', /^observe_ports contains "all", which is not a port/],
    ['3000-4000', /^observe_ports must have at most 1000 ports/],
    ['1-65535', /^observe_ports must have at most 1000 ports/],
    [Array.from({ length: 1_001 }, () => '80').join(), /^observe_ports must have at most 1000 ports/],
  ])('are refused with the field and the reason for "%.20s"', (text, reason) => {
    expect(() => parsePorts(text)).toThrow(reason);
  });

  it.each(['80', '80,443', '500-501,503-514', '515-516', '102,8000-8003', 'all'])(
    'are written as they are read: %s',
    (text) => {
      const chosen = parsePorts(text);
      expect(parsePorts(portsText(chosen))).toEqual(chosen);
    },
  );

  it('are tried in the order of their use', () => {
    expect(portsToTry([1, 2, 80, 60_000, 443])).toEqual([80, 443, 1, 2, 60_000]);
    expect(portsToTry('all')).toHaveLength(65_535 - 24);
  });
});
