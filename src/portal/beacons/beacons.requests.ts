import {
  changeOfBeacon,
  requireAllowedCidrs,
  requireBeaconName,
  requireDnsServer,
  requireInterfaceName,
  settingsOfBeacon,
} from '../../modules/beacons';
import { Flag, TextWithRule } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';

export class BeaconsQuery extends PageQuery {
  /** Only those that do not report. */
  @Flag({ optional: true })
  silent?: boolean;
}

const networksIn = (text: string): string[] => text.split(/[\s,]+/).filter((network) => network !== '');

const requireNetworks = (text: string): string[] => requireAllowedCidrs(networksIn(text));

/** As the API has them, with the networks in one text. */
export class BeaconForm {
  @TextWithRule(requireBeaconName, { maxLength: 63 })
  name!: string;

  @TextWithRule(requireNetworks, { maxLength: 4_000 })
  allowed_cidrs!: string;

  @TextWithRule(requireDnsServer, { maxLength: 45 }, { nullable: true })
  dns_server?: string | null;

  @Flag({ optional: true })
  observe?: boolean;
}

export class NewBeaconForm extends BeaconForm {
  @TextWithRule(requireInterfaceName, { maxLength: 15 }, { nullable: true })
  interface_name?: string | null;
}

/** An empty field removes the name server. */
const requestOf = ({ name, allowed_cidrs, dns_server = null, observe = false }: BeaconForm) => ({
  name,
  allowed_cidrs: networksIn(allowed_cidrs),
  dns_server,
  observe,
});

export const settingsOfForm = (form: NewBeaconForm) =>
  settingsOfBeacon({ ...requestOf(form), interface_name: form.interface_name });

export const changeOfForm = (form: BeaconForm) => changeOfBeacon(requestOf(form));
