import { requireWholePlace } from './event-place';

it('a place has both coordinates or none', () => {
  for (const [latitude, longitude] of [
    [null, null],
    [0, 0],
    [-33.9, 18.4],
  ] as const)
    expect(() => requireWholePlace({ latitude, longitude })).not.toThrow();
  expect(() => requireWholePlace({ latitude: 0, longitude: null })).toThrow('longitude must be given with latitude.');
  expect(() => requireWholePlace({ latitude: null, longitude: 0 })).toThrow('latitude must be given with longitude.');
});
