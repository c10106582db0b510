import { Cidr } from '../../../kernel/cidr';
import { COMMON_PORTS } from '../../../engine/observation/ports';
import { DEFAULT_PORTS } from '../../discovery/domain/discovery-plan';
import {
  ADDRESSES_A_DAY,
  afterPortion,
  nextPortion,
  PORTION,
  reasonNotSearched,
  searchedToday,
  searchPorts,
  unsearchedBlock,
} from './block-search';

const day = new Date('2026-01-31T23:00:00Z');
const nextDay = new Date('2026-02-01T01:00:00Z');
const block = (text: string): Cidr => Cidr.parse(text, 'block');

describe('the search of a block', () => {
  it('ends with a portion of the rest, and a complete block begins again', () => {
    const { addresses, isLast } = nextPortion(block('10.0.0.0/26'), unsearchedBlock, day);
    expect([addresses.length, isLast]).toEqual([62, true]);
    expect(afterPortion(unsearchedBlock, 62, 62, day)).toEqual({
      blockPosition: 0,
      blockSearched: 62,
      blockSearchedAt: day,
      blockCompleted: day,
    });
  });

  it('ends when the addresses of a day are searched, and goes on the next day', () => {
    const large = block('10.0.0.0/16');
    const progress = {
      ...unsearchedBlock,
      blockPosition: 9_000,
      blockSearched: ADDRESSES_A_DAY - 5,
      blockSearchedAt: day,
    };
    const last = nextPortion(large, progress, day);
    expect([last.addresses.length, last.isLast]).toEqual([5, true]);
    const used = afterPortion(progress, 5, 65_534, day);
    expect(used.blockCompleted).toBeNull();
    expect(nextPortion(large, used, day)).toEqual({ addresses: [], isLast: true });
    expect(searchedToday(used, nextDay)).toBe(0);
    const next = nextPortion(large, used, nextDay);
    expect([next.addresses.length, next.isLast]).toEqual([PORTION, false]);
    expect(last.addresses).not.toContain(next.addresses[0]);
  });

  it('has a block of two addresses, and one of a single address', () => {
    expect(nextPortion(block('10.0.0.0/31'), unsearchedBlock, day).addresses.toSorted()).toEqual([
      '10.0.0.0',
      '10.0.0.1',
    ]);
    expect(nextPortion(block('fd00::1/128'), unsearchedBlock, day).addresses).toEqual(['fd00::1']);
  });

  it.each([
    ['10.0.0.0/8', null],
    ['0.0.0.0/7', /IPv4 block is searched up to \/8/],
    ['fd00::/116', null],
    ['fd00::/115', /IPv6 block is searched up to \/116/],
  ])('of %s is refused if it is too large', (text, reason) => {
    const refusal = reasonNotSearched(block(text));
    if (reason === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(reason);
  });
});

describe('the ports of a search', () => {
  it('are those of discoveries where all are allowed', () => {
    expect(searchPorts(COMMON_PORTS)).toEqual(DEFAULT_PORTS);
  });

  it('are others where the operator allows only others', () => {
    expect(searchPorts([9_200, 80])).toEqual([80, 9_200]);
  });

  it('never has a port of a printer or controller', () => {
    expect(searchPorts([9_100, 502, 80])).toEqual([80]);
  });
});
