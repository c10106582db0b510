import { redacted } from '../signed-in/in-session';
import type { Via } from '../transport/transport';
import type { ActiveInventory } from './active-scan-request';

/** Leaves out points whose requests contain a secret of the session: they cannot be tested in another session. */
export const withoutSecrets = (inventory: ActiveInventory, via: Via): ActiveInventory => ({
  load: () => inventory.load(),
  listPoints: () => inventory.listPoints(),
  readPoints: (keys) => inventory.readPoints(keys),
  addPages: (pages) => inventory.addPages(redacted(via, pages)),
  addPoints: async (points) => {
    const kept = points.filter((point) => JSON.stringify(redacted(via, point)) === JSON.stringify(point));
    if (kept.length > 0) await inventory.addPoints(kept);
  },
  endCrawl: (notes, unread) => inventory.endCrawl(redacted(via, notes), unread),
  finishPoint: (key, results) => inventory.finishPoint(key, results),
});
