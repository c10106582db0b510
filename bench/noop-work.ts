import type { Client } from 'pg';
import { system } from '../src/platform/api/caller';

export const NOOP_KIND = 'bench.noop';

/** No-op work with the usual completion and audit entry. */
export class NoopWork {
  done = 0;
  private target: { count: number; resolve: () => void } | undefined;

  async perform({ reference }: { reference: string }) {
    return {
      audit: {
        actor: system,
        operation: NOOP_KIND,
        resourceType: 'finding',
        resourceId: reference,
        organizationId: null,
      },
      apply: async () => {
        this.done++;
        if (this.done === this.target?.count) this.target.resolve();
      },
    } as const;
  }

  abandon(): never {
    throw new Error('no-op work does not fail');
  }

  /** Resolves when this many more pieces are done. */
  waitForMore(count: number): Promise<void> {
    return new Promise((resolve) => (this.target = { count: this.done + count, resolve }));
  }
}

export async function insertOrganizations(owner: Client, count: number): Promise<void> {
  await owner.query(
    `INSERT INTO organizations (id, name, folded_name) SELECT n, 'Organization ' || n, 'organization ' || n FROM generate_series(1, $1) n`,
    [count],
  );
}

/** Pieces of work of many organizations. */
export async function insertBacklog(owner: Client, organizations: number, each: number): Promise<void> {
  await owner.query(
    `INSERT INTO work (kind, reference, organization_id) SELECT $3, 'backlog ' || o || ' ' || n, o
     FROM generate_series(1, $1::int) o, generate_series(1, $2::int) n`,
    [organizations, each, NOOP_KIND],
  );
  await owner.query('ANALYZE work');
}
