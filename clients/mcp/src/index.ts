export type { Me } from './access';
export { agentHandler } from './http';
export { agentServer } from './server';
export { serveAgent } from './stdio';
export type { AgentSession } from './tool';
