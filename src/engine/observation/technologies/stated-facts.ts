/** Operating systems that software names in its responses. The first match counts. */
const SYSTEMS: readonly (readonly [expression: RegExp, name: string])[] = [
  [/ubuntu/i, 'Ubuntu'],
  [/raspbian/i, 'Raspbian'],
  [/debian|[-+~]deb(?:\d|$)/i, 'Debian'],
  [/red ?hat|\brhel/i, 'Red Hat Enterprise Linux'],
  [/centos/i, 'CentOS'],
  [/rocky/i, 'Rocky Linux'],
  [/almalinux/i, 'AlmaLinux'],
  [/amazon/i, 'Amazon Linux'],
  [/oracle linux/i, 'Oracle Linux'],
  [/fedora/i, 'Fedora'],
  [/suse/i, 'SUSE Linux'],
  [/gentoo/i, 'Gentoo'],
  [/alpine/i, 'Alpine Linux'],
  [/freebsd/i, 'FreeBSD'],
  [/openbsd/i, 'OpenBSD'],
  [/netbsd/i, 'NetBSD'],
  [/win(?:32|64|dows)/i, 'Windows'],
  [/darwin|macos/i, 'macOS'],
  [/\bunix\b/i, 'Unix'],
];

/** The system that a text names, or an empty text. */
export const systemIn = (text: string): string => SYSTEMS.find(([expression]) => expression.test(text))?.[1] ?? '';

/** Escapes every character except letters, digits, `_`, `-` and `.`, as a formatted string requires. */
const escaped = (value: string): string => value.toLowerCase().replace(/[^a-z0-9_.-]/g, String.raw`\$&`);

/** The CPE 2.3 formatted string of `vendor:product` or `part:vendor:product`. An unknown version is any version. */
export function cpeOf(product: string, version: string, update = ''): string {
  const names = product.split(':');
  const [part = '', vendor = '', name = ''] = names.length === 3 ? names : ['a', ...names];
  const fields = [vendor, name, version, update].map((field) => (field === '' ? '*' : escaped(field)));
  return `cpe:2.3:${part}:${fields.join(':')}:*:*:*:*:*:*`;
}

const segments = (version: string): string[] => version.split(/[.-]/);

/** Whether a version is more precise than another: 2.4.57 is more precise than 2.4, and any version than none. */
export function isMorePrecise(version: string, than: string): boolean {
  if (version === than) return false;
  const [more, less] = [segments(version), segments(than)];
  return than === '' || (less.length < more.length && less.every((segment, at) => segment === more[at]));
}
