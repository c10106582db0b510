import { CreateSchema1763769600000 } from './1763769600000-create-schema';
import { LimitStoredRows1795400100000 } from './1795400100000-limit-stored-rows';
import { CountStoredRows1795400200000 } from './1795400200000-count-stored-rows';
import { AddRemovedRowsOfImports1795400300000 } from './1795400300000-add-removed-rows-of-imports';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [
  CreateSchema1763769600000,
  LimitStoredRows1795400100000,
  CountStoredRows1795400200000,
  AddRemovedRowsOfImports1795400300000,
];
