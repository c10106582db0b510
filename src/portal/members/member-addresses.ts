import { invalid } from '../../kernel/domain-error';
import type { MembersService } from '../../modules/identity';

/** The ids of the members whose mail addresses a field names, with commas, spaces or on lines. */
export async function memberIdsWith(
  members: MembersService,
  organizationId: number,
  text: string,
  field: string,
): Promise<number[]> {
  const addresses = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((address) => address !== '');
  if (addresses.length === 0) return [];
  const ids = new Map(
    (await members.listOfVisible(organizationId)).map(({ email, userId }) => [email.toLowerCase(), userId]),
  );
  return [...new Set(addresses)].map((address) => {
    const id = ids.get(address);
    if (id === undefined) throw invalid(`${field}: ${address} is not the address of a member of the organization.`);
    return id;
  });
}
