import { CreateSchema1763769600000 } from './1763769600000-create-schema';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [CreateSchema1763769600000];
