import { ProtocolError } from '../../../beacon-protocol/frame';

/** What an agent states about itself in its first message. */
export interface AgentHello {
  readonly agentVersion: string;
  readonly interfaces: readonly string[];
}

const MAX_INTERFACES = 64;

export function agentHelloFrom(message: Readonly<Record<string, unknown>>): AgentHello {
  const { type, agent_version: version, interfaces } = message;
  if (type !== 'hello') throw new ProtocolError('the first message is not hello');
  if (typeof version !== 'string' || !/^[\w.+-]{1,64}$/.test(version))
    throw new ProtocolError('agent_version is not a version');
  const names = Array.isArray(interfaces) ? interfaces.filter((name) => typeof name === 'string') : [];
  return { agentVersion: version, interfaces: names.slice(0, MAX_INTERFACES).map((name: string) => name.slice(0, 64)) };
}
