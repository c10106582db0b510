import tls from 'node:tls';
import { certificate } from './certificate';

/** A certificate authority for specs. It is not trusted by default. */
export const AUTHORITY = certificate({ names: [], commonName: 'Authority of the tests' });

/** Trusts it in the specs of this file. Node only reads additional authorities from a file, and only when it starts. */
export function trustAuthority(): void {
  const create = tls.createSecureContext;
  beforeAll(() => {
    jest.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
      const made = create(options);
      const store = made.context as { addCACert(pem: string): void };
      store.addCACert(AUTHORITY.cert);
      return made;
    });
  });
  afterAll(() => jest.restoreAllMocks());
}
