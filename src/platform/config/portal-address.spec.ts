import { portalPort } from './portal-address';

describe('the port of the portal', () => {
  it.each([
    ['the port after that of the API', { PORT: 3000 }, 3001],
    ['any free port, like that of the API', { PORT: 0 }, 0],
    ['the configured one', { PORT: 3000, PORTAL_PORT: 8080 }, 8080],
    ['none, if the portal is disabled', { PORT: 3000, PORTAL_PORT: 'off' as const }, undefined],
  ])('is %s', (_what, config, port) => {
    expect(portalPort(config)).toBe(port);
  });
});
