import { ResponseField } from '../../../platform/api/response-field';
import type { Lane } from '../domain/lanes';

export class LaneResponse {
  @ResponseField.integer({ nullable: true, description: 'The id of the account; null for the run without a session.' })
  account_id!: number | null;

  @ResponseField.string({ nullable: true })
  account!: string | null;

  @ResponseField.boolean({
    description: 'Whether its session was proved to be valid. If not, its results do not count.',
  })
  proved!: boolean;

  @ResponseField.string({ nullable: true, description: 'Why its session was not proved, or what it did not test.' })
  reason!: string | null;

  @ResponseField.integer()
  requests!: number;

  @ResponseField.integer({ nullable: true, description: 'The pages that it knows; null for a standard job.' })
  pages!: number | null;

  @ResponseField.integer({ nullable: true, description: 'The insertion points that it has tested.' })
  tested!: number | null;
}

export const presentLane = ({ account, isProved: proved, reason, requests, found }: Lane): LaneResponse => ({
  account_id: account?.id ?? null,
  account: account?.name ?? null,
  proved,
  reason,
  requests,
  pages: found?.pages ?? null,
  tested: found?.tested ?? null,
});
