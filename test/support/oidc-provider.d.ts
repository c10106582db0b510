/** What the tests use of a package without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Client: {
      readonly prototype: { redirectUriAllowed(uri: string): boolean };
      find(id: string): Promise<{ backchannelLogout(subject: string, sid?: string): Promise<void> }>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
