import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from './totp';

/** 100 random bits that the names of one experiment share. */
const GROUP_LENGTH = 20;
/** With the group more than 128 random bits. */
const ID_LENGTH = 26;
/** 80 bits. */
const MAC_LENGTH = 16;
const LABEL = new RegExp(`^[a-z2-7]{${ID_LENGTH + MAC_LENGTH}}$`);

const randomLetters = (length: number): string => base32(randomBytes(length)).toLowerCase().slice(0, length);

const macOf = (id: string, key: Buffer): string =>
  base32(createHmac('sha256', key).update(`callback ${id}`).digest())
    .toLowerCase()
    .slice(0, MAC_LENGTH);

export const newCallbackGroup = (): string => randomLetters(GROUP_LENGTH);

export const groupOfCallback = (label: string): string => label.slice(0, GROUP_LENGTH);

/** The first label of a new name below the domain of the listener. */
export function newCallbackLabel(key: Buffer, group = newCallbackGroup()): string {
  const id = group + randomLetters(ID_LENGTH - GROUP_LENGTH);
  return id + macOf(id, key);
}

/** The label of a host name that this installation made; null for every other name. Targets may put labels before it. */
export function callbackLabelOf(host: string, domain: string, key: Buffer): string | null {
  const name = host.toLowerCase();
  if (!name.endsWith(`.${domain}`)) return null;
  const label =
    name
      .slice(0, -domain.length - 1)
      .split('.')
      .at(-1) ?? '';
  if (!LABEL.test(label)) return null;
  const mac = Buffer.from(macOf(label.slice(0, ID_LENGTH), key));
  return timingSafeEqual(mac, Buffer.from(label.slice(ID_LENGTH))) ? label : null;
}
