import { CreateSchema1763769600000 } from './1763769600000-create-schema';
import { BindKeysToMemberships1795400000000 } from './1795400000000-bind-keys-to-memberships';
import { AddAddressProofs1795400000001 } from './1795400000001-add-address-proofs';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [
  CreateSchema1763769600000,
  BindKeysToMemberships1795400000000,
  AddAddressProofs1795400000001,
];
