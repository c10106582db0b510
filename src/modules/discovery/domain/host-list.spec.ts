import { Cidr } from '../../../kernel/cidr';
import { HostList, spreadPosition } from './host-list';

const listOf = (...blocks: string[]): HostList => new HostList(blocks.map((block) => Cidr.parse(block, 'block')));

const addressesOf = (list: HostList): string[] =>
  Array.from({ length: Number(list.size) }, (_none, position) => list.addressAt(position));

describe('the hosts of blocks', () => {
  it.each([
    ['10.0.0.0/30', ['10.0.0.1', '10.0.0.2']],
    ['10.0.0.0/31', ['10.0.0.0', '10.0.0.1']],
    ['10.0.0.7/32', ['10.0.0.7']],
    ['fd00::fffe/127', ['fd00::fffe', 'fd00::ffff']],
  ])('of %s are %j', (block, hosts) => {
    expect(addressesOf(listOf(block))).toEqual(hosts);
  });

  it('are each in the list once, although blocks are nested or equal', () => {
    const list = listOf('10.0.0.0/29', '10.0.0.4/30', '10.0.1.0/30', '10.0.1.0/30');
    expect(addressesOf(list)).toEqual([...[1, 2, 3, 4, 5, 6].map((last) => `10.0.0.${last}`), '10.0.1.1', '10.0.1.2']);
  });

  it('continue in the next byte', () => {
    const list = listOf('10.0.0.0/22');
    expect(list.size).toBe(1022n);
    expect([254, 255, 1021].map((position) => list.addressAt(position))).toEqual([
      '10.0.0.255',
      '10.0.1.0',
      '10.0.3.254',
    ]);
  });

  it('are counted in blocks of any size', () => {
    expect(listOf('10.0.0.0/8', 'fd00::/48').size).toBe(2n ** 24n - 2n + 2n ** 80n);
  });
});

describe('the order of the hosts', () => {
  it.each([1, 2, 3, 254, 4_096])('tries each of %i hosts once', (count) => {
    const positions = Array.from({ length: count }, (_none, turn) => spreadPosition(turn, count));
    expect(positions.toSorted((one, other) => one - other)).toEqual(positions.map((_position, index) => index));
  });

  it('keeps hosts that are tried one after the other far apart', () => {
    const positions = Array.from({ length: 254 }, (_none, turn) => spreadPosition(turn, 254));
    const distances = positions.slice(1).map((position, index) => Math.abs(position - (positions[index] ?? 0)));
    expect(Math.min(...distances)).toBeGreaterThan(50);
  });
});
