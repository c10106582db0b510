import { Cidr } from '../../../kernel/cidr';
import { DEFAULT_PORTS, mayTry, planOf } from './discovery-plan';

const blocksOf = (...texts: string[]): Cidr[] => texts.map((text) => Cidr.parse(text, 'block'));

describe('the plan of a discovery', () => {
  it('has all private blocks of the beacon and the default ports', () => {
    expect(planOf(blocksOf('10.20.0.0/24', '8.8.8.0/24', 'fd00:20::/120'), {})).toEqual({
      cidrs: ['10.20.0.0/24', 'fd00:20::/120'],
      ports: DEFAULT_PORTS,
      hosts: 254 + 256,
    });
  });

  it('has the blocks and ports that were named', () => {
    const request = { cidrs: ['10.20.3.0/28'], ports: [22, 9200] };
    expect(planOf(blocksOf('10.20.0.0/16'), request)).toEqual({ ...request, hosts: 14 });
  });

  it.each(['10.20.0.0/20', 'fd00:20::/116'])('accepts up to 4,096 hosts: %s', (block) => {
    expect(planOf(blocksOf(block), {}).hosts).toBeGreaterThan(4_093);
  });

  it.each([
    ['10.20.0.0/16', '65,534', '10.20.0.0/20'],
    ['10.20.0.0/19', '8,190', '10.20.0.0/20'],
    ['fd00:20::/115', '8,192', 'fd00:20::/116'],
    ['fd00:20::/64', '18,446,744,073,709,551,616', 'fd00:20::/116'],
  ])('refuses %s with its %s hosts, and names a block that it accepts', (block, hosts, smaller) => {
    const refused = () => planOf(blocksOf(block), {});
    expect(refused).toThrow(`The networks have ${hosts} hosts, and a discovery tries at most 4,096.`);
    expect(refused).toThrow(`such as ${smaller}, and start one discovery after the other.`);
    expect(planOf(blocksOf(block), { cidrs: [smaller] }).hosts).toBeGreaterThan(0);
  });

  it.each([
    ['10.30.0.0/24', 'not inside'],
    ['10.20.0.0/15', 'not inside'],
    ['8.8.8.8/32', 'not private'],
    ['100.100.100.200/32', 'not private'],
  ])('refuses the block %s, which is %s', (block, reason) => {
    const allowed = blocksOf('10.20.0.0/16', '8.8.8.0/24', '100.64.0.0/10');
    expect(() => planOf(allowed, { cidrs: [block] })).toThrow(reason);
  });

  it('refuses a beacon without private blocks', () => {
    expect(() => planOf(blocksOf('8.8.8.0/24'), {})).toThrow('None of the beacon');
  });
});

describe('an address may be tried', () => {
  it.each([
    ['10.20.0.7', true],
    ['fd00:20::7', true],
    ['10.30.0.7', false],
    ['8.8.8.8', false],
    ['100.100.100.200', false],
    ['127.0.0.1', false],
    ['169.254.169.254', false],
  ])('%s: %s', (address, expected) => {
    const allowed = blocksOf(
      '10.20.0.0/16',
      '8.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      'fd00:20::/64',
    );
    expect(mayTry(address, allowed)).toBe(expected);
  });
});
