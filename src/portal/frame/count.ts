import { MAX_COUNT } from '../../kernel/page';

/** Long lists are not counted to their end. */
export const countText = (count: number): string => (count > MAX_COUNT ? `${formatted(MAX_COUNT)}+` : formatted(count));

const formatted = (count: number): string => new Intl.NumberFormat('en').format(count);
