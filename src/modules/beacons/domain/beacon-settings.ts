/** What an admin says of a beacon. */
export interface BeaconSettings {
  readonly name: string;
  readonly allowedCidrs: string[];
  readonly dnsServer: string | null;
  readonly interfaceName: string | null;
}

type Name = keyof BeaconSettings;

const WIRE_NAMES: Readonly<Record<Name, string>> = {
  name: 'name',
  allowedCidrs: 'allowed_cidrs',
  dnsServer: 'dns_server',
  interfaceName: 'interface_name',
};

const NAMES = ['name', 'allowedCidrs', 'dnsServer', 'interfaceName'] as const satisfies readonly Name[];

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What of a change is one: fields that are left out, or said as they are, change nothing. */
export function differences(
  current: BeaconSettings,
  wanted: Partial<BeaconSettings>,
): { from: Partial<BeaconSettings>; to: Partial<BeaconSettings> } {
  const changed = NAMES.filter((name) => wanted[name] !== undefined && !isEqual(wanted[name], current[name]));
  const only = (settings: Partial<BeaconSettings>): Partial<BeaconSettings> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { from: only(current), to: only(wanted) };
}

/** As the audit log says it: in the names that the API itself uses. */
export const toWireFormat = (settings: Partial<BeaconSettings>): Record<string, unknown> =>
  Object.fromEntries(
    NAMES.filter((name) => settings[name] !== undefined).map((name) => [WIRE_NAMES[name], settings[name]]),
  );
