/** The configuration of a beacon that an admin can set. */
export interface BeaconSettings {
  readonly name: string;
  readonly allowedCidrs: string[];
  readonly dnsServer: string | null;
  readonly interfaceName: string | null;
  /** Whether the assets behind it are observed. */
  readonly observe: boolean;
}

type Name = keyof BeaconSettings;

const WIRE_NAMES: Readonly<Record<Name, string>> = {
  name: 'name',
  allowedCidrs: 'allowed_cidrs',
  dnsServer: 'dns_server',
  interfaceName: 'interface_name',
  observe: 'observe',
};

const NAMES = ['name', 'allowedCidrs', 'dnsServer', 'interfaceName', 'observe'] as const satisfies readonly Name[];

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that a change modifies, with their old and new values. Omitted and equal fields are not included. */
export function differences(
  current: BeaconSettings,
  wanted: Partial<BeaconSettings>,
): { from: Partial<BeaconSettings>; to: Partial<BeaconSettings> } {
  const changed = NAMES.filter((name) => wanted[name] !== undefined && !isEqual(wanted[name], current[name]));
  const only = (settings: Partial<BeaconSettings>): Partial<BeaconSettings> =>
    Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return { from: only(current), to: only(wanted) };
}

/** For the audit log, with the field names of the API. */
export const toWireFormat = (settings: Partial<BeaconSettings>): Record<string, unknown> =>
  Object.fromEntries(
    NAMES.filter((name) => settings[name] !== undefined).map((name) => [WIRE_NAMES[name], settings[name]]),
  );
