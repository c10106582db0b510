import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { JobRow } from './job.entity';

/** Hosts whose addresses a job keeps: it never dials more. */
const MAX_HOSTS = 100;

@Injectable()
export class JobAddressesRepository {
  constructor(private readonly database: Database) {}

  async findAddressesOfVisible(id: number): Promise<NonNullable<JobRow['addresses']>> {
    const row = await this.database.row<Pick<JobRow, 'addresses'>>(sql`SELECT addresses FROM jobs WHERE id = ${id}`);
    return row?.addresses ?? {};
  }

  /** Returns the addresses that count for the rest of the job: those that a worker of the job stored first. */
  async keepAddresses(jobId: number, host: string, found: readonly string[]): Promise<readonly string[]> {
    const known = sql`coalesce(addresses, '{}')`;
    await this.database.change(sql`
      UPDATE jobs SET addresses = jsonb_build_object(${host}::text, ${JSON.stringify(found)}::jsonb) || ${known}
      WHERE id = ${jobId} AND (SELECT count(*) FROM jsonb_object_keys(${known})) < ${MAX_HOSTS}`);
    return (await this.findAddressesOfVisible(jobId))[host] ?? [];
  }
}
