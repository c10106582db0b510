import { parsePorts } from '../../../engine/observation/ports';

/** Why nothing may be sent to a silent port; null if an admin has named it for the asset. */
export function silentPortRefusal(port: number, observePorts: string | null): string | null {
  const named = observePorts === null ? [] : parsePorts(observePorts);
  if (named !== 'all' && named.includes(port)) return null;
  return `Printers and controllers listen on port ${port}, and a test could disturb them: if this is none, an admin can name the port in observe_ports of the asset.`;
}
