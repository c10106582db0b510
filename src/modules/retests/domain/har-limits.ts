export const MAX_HAR_BYTES = 4 * 1_048_576;
export const HAR_MEDIA_TYPES = ['application/octet-stream'];
