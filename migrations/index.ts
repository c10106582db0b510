import { CreateFoundation1763683200000 } from './1763683200000-create-foundation';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [CreateFoundation1763683200000];
