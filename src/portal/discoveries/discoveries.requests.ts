import { Transform } from 'class-transformer';
import { invalid } from '../../kernel/domain-error';
import { addressBounds, discoveryRequestOf, MAX_PORTS, requireAddresses } from '../../modules/discovery';
import { requireAllowedCidrs } from '../../modules/beacons';
import { TextListWithRule, TextWithRule } from '../../platform/http/fields';

const itemsIn = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '');

const requireNetworks = (text: string): string[] => requireAllowedCidrs(itemsIn(text));

function requirePorts(text: string): number[] {
  const ports = [...new Set(itemsIn(text).map(Number))];
  const areValid = ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535);
  if (areValid && ports.length >= 1 && ports.length <= MAX_PORTS) return ports;
  throw invalid(`ports must be 1 to ${MAX_PORTS} numbers from 1 to 65535, with commas or spaces between them.`);
}

/** As the API has them, each list in one text. */
export class DiscoveryForm {
  @TextWithRule(requirePorts, { maxLength: 200 }, { nullable: true })
  ports?: string | null;

  @TextWithRule(requireNetworks, { maxLength: 4_000 }, { nullable: true })
  cidrs?: string | null;

  get request() {
    return discoveryRequestOf({
      ports: this.ports == null ? null : requirePorts(this.ports),
      cidrs: this.cidrs == null ? null : requireNetworks(this.cidrs),
    });
  }
}

/** The browser sends a field for each checkbox that is checked, and none to add all candidates. */
export class CandidatesForm {
  @TextListWithRule(requireAddresses, addressBounds, { optional: true })
  // The last transformation is applied first, so this one replaces what that of the field has read.
  @Transform(({ obj }: { obj: Record<string, unknown> }) =>
    obj['addresses'] === undefined ? undefined : [obj['addresses']].flat(),
  )
  addresses?: string[];

  get canonicalAddresses(): string[] | undefined {
    return this.addresses && requireAddresses(this.addresses);
  }
}
