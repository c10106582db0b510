import { CreateSchema1763769600000 } from './1763769600000-create-schema';
import { AddReplacedPasswordResets1795400400000 } from './1795400400000-add-replaced-password-resets';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [CreateSchema1763769600000, AddReplacedPasswordResets1795400400000];
