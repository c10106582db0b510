export const CHECK_KIND = 'identity.check';
