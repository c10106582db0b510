import type { Mutant } from '../mutant';

const requests = 'src/modules/webhooks/outbound/outbound-requests.ts';
const service = 'src/modules/webhooks/webhooks.service.ts';
const deliveries = 'src/modules/webhooks/data/webhook-deliveries.repository.ts';
const webhooks = 'src/modules/feed/data/destinations.repository.ts';
const admins = 'src/modules/feed/destinations.service.ts';
const attempts = 'src/modules/webhooks/domain/attempts.ts';
const feeding = 'src/modules/feed/destination-feeding.ts';
const pauses = 'src/modules/feed/destination-pauses.ts';
const sending = 'src/modules/webhooks/webhook-sending.ts';
const outbound = 'test/e2e/webhook-requests.spec.ts';
const http = 'test/e2e/webhooks.spec.ts';
const sent = 'test/e2e/webhook-deliveries.spec.ts';
const faults = 'test/e2e/webhook-faults.spec.ts';

/** What sends data of tenants to addresses that they name. */
export const webhookMutants: readonly Mutant[] = [
  {
    name: 'webhooks: filters name events of other organizations',
    file: service,
    search: 'await this.events.requireOfVisible(owner, draft.eventIds);',
    replace: '',
    spec: http,
    test: 'with an event of another organization or of none',
  },
  {
    name: 'webhooks: the refusal of a URL tells the ports that the operator allows',
    file: requests,
    search: 'const entries = this.allowed.filter((entry) => isEntryFor(entry, organizationId));',
    replace:
      'const entries = this.allowed.filter((entry) => entry.port === portOf(url) && isEntryFor(entry, organizationId));',
    spec: outbound,
    test: 'accepts or refuses a URL whatever its port is',
  },
  {
    name: 'webhooks: addresses are not checked',
    file: requests,
    search: 'new Egress({ allow: this.allowed, ...own, trustSingleAddresses });',
    replace:
      '{ requireName: () => undefined, addressesOf: () => [], refusal: async () => null, unused: [Egress, own, trustSingleAddresses] } as unknown as Egress;',
    spec: outbound,
    test: 'connects to nothing for ',
  },
  {
    name: 'webhooks: an entry for one organization is for all',
    file: requests,
    search: 'const rules = { organizationId };',
    replace: 'const rules = { organizationId: this.allowed[0]?.organizationId ?? organizationId };',
    spec: outbound,
    test: 'sends to an address that is bound to an organization for that organization only',
  },
  {
    name: 'webhooks: http to every public address',
    file: requests,
    search: "url.protocol === 'https:' ? found : found.filter((one) => this.isListed(one, organizationId));",
    replace: 'found;',
    spec: outbound,
    test: 'connects to nothing for ',
  },
  {
    name: 'webhooks: certificates are not verified',
    file: requests,
    search: "ALPNProtocols: ['http/1.1'] }",
    replace: "ALPNProtocols: ['http/1.1'], rejectUnauthorized: false }",
    spec: outbound,
    test: 'needs a certificate that is valid for the host',
  },
  {
    name: 'webhooks: answers are read without a limit',
    file: requests,
    search: 'if (bytes > MAX_ANSWER_BYTES) return;',
    replace: 'if (bytes > 1e12) return;',
    spec: outbound,
    test: 'stops reading an answer after 64 KiB',
  },
  {
    name: 'webhooks: a receiver that switches to another protocol is waited for',
    file: requests,
    search: "sent.once('upgrade', () => reject(switched()));",
    replace: '',
    spec: outbound,
    test: 'ends a request whose receiver switches to another protocol',
  },
  {
    name: 'webhooks: requests have no deadline',
    file: requests,
    search: 'const deadline = AbortSignal.timeout(TOTAL_MS);',
    replace: 'const deadline = AbortSignal.timeout(60_000);',
    spec: outbound,
    test: 'ends a request without an answer, or with an endless one, after ten seconds',
  },
  {
    name: 'webhooks: private addresses are stored',
    file: service,
    search: 'this.requests.requireUrl(draft.url, owner);',
    replace: '',
    spec: http,
    test: 'is refused with ',
  },
  {
    name: 'webhooks: any number of them',
    file: admins,
    search: '>= MAX_DESTINATIONS)',
    replace: '>= 1e9)',
    spec: http,
    test: 'is one of at most 20, also when twenty-five are created at once',
  },
  {
    name: 'webhooks: the URL is in the audit log',
    file: service,
    search: 'host: hostOf(draft.url)',
    replace: 'host: draft.url',
    spec: http,
    test: 'is created with the filters of the feed, and its secret is shown once',
  },
  {
    name: 'webhooks: those of another organization are found',
    file: webhooks,
    search: "WHERE d.organization_id = ${organizationId} AND ${visibleTo(scope, 'd.organization_id')}`;",
    replace: 'WHERE d.organization_id = ${organizationId} AND ${scope !== undefined}::boolean`;',
    spec: sent,
    test: 'sends no byte of one organization to the webhook of another',
  },
  {
    name: 'webhooks: entries of another organization are sent',
    file: 'src/modules/feed/data/feed.repository.ts',
    search: 'ANY(${positions}::bigint[]) AND f.organization_id = ${organizationId}`',
    replace: 'ANY(${positions}::bigint[])`',
    spec: sent,
    test: 'sends no byte of one organization to the webhook of another',
  },
  {
    name: 'webhooks: messages of another webhook are found',
    file: deliveries,
    search: 'FROM webhook_deliveries d WHERE ${ofWebhook(webhook)} AND d.message_id = ${messageId}`,\n    );',
    replace: 'FROM webhook_deliveries d WHERE d.message_id = ${messageId}`,\n    );',
    spec: sent,
    test: 'sends no byte of one organization to the webhook of another',
  },
  {
    name: 'webhooks: a record does not wait for its earlier message',
    file: deliveries,
    search: '::boolean) AND ${isFirstOfRecord}',
    replace: '::boolean)',
    spec: sent,
    test: 'is kept for each record, also while an earlier message fails, and messages about other records continue',
  },
  {
    name: 'webhooks: any number of messages wait',
    file: feeding,
    search: 'const MAX_WAITING = 1_000;',
    replace: 'const MAX_WAITING = 1_000_000;',
    spec: sent,
    test: 'keeps at most 1,000 messages waiting: the others stay in the feed',
  },
  {
    name: 'webhooks: an attempt has no end if its worker is lost',
    file: sending,
    search: 'until: new Date(now.getTime() + ATTEMPT_MS),',
    replace: 'until: new Date(now.getTime() + 1_000 * ATTEMPT_MS),',
    spec: faults,
    test: 'a message whose worker is killed before it has recorded the delivery comes again with the same id',
  },
  {
    name: 'webhooks: dead receivers share the slots of the others',
    file: 'src/modules/webhooks/domain/work-kinds.ts',
    search: '(misses > 0 ? RETRY_KIND : DELIVER_KIND)',
    replace: '(misses > 1e9 ? RETRY_KIND : DELIVER_KIND)',
    spec: faults,
    test: 'of many organizations do not delay the others either, once they have not answered',
  },
  {
    name: 'webhooks: a receiver may ask for any pause',
    file: attempts,
    search: 'const asked = Math.min(retryAfter, MAX_RETRY_AFTER_S);',
    replace: 'const asked = retryAfter;',
    spec: sent,
    test: 'cannot ask for a pause of more than twelve hours',
  },
  {
    name: 'webhooks: a receiver that is gone gets more',
    file: attempts,
    search: "status === GONE ? 'gone' : ",
    replace: '',
    spec: sent,
    test: 'is paused at once when it answers 410',
  },
  {
    name: 'webhooks: a dead receiver is never paused',
    file: attempts,
    search: "isOver(failingSince, now) ? 'failing' : undefined",
    replace: 'undefined',
    spec: sent,
    test: 'is paused after three days, with an audit entry, and continues without a loss when it is resumed',
  },
  {
    name: 'webhooks: a receiver that does not answer gets all messages',
    file: sending,
    search: 'most: webhook.misses > 0 ? 1 : MAX_PARALLEL,\n      testsOnly: isResting,',
    replace: 'most: MAX_PARALLEL,\n      testsOnly: false,',
    spec: sent,
    test: 'gets one message at a time while it does not answer, and the others when it answers again',
  },
  {
    name: 'webhooks: they go on after their maker has lost the role',
    file: pauses,
    search: "return role !== undefined && isAtLeast(role, 'admin');",
    replace: "return role !== undefined && isAtLeast(role, 'viewer');",
    spec: sent,
    test: 'is paused when its maker is no longer an admin, and another admin takes it over by resuming it',
  },
  {
    name: 'webhooks: the old secret signs for ever',
    file: 'src/modules/webhooks/webhook-secrets.ts',
    search: 'webhook.previousUntil !== null && webhook.previousUntil > now',
    replace: 'webhook.previousUntil !== null',
    spec: sent,
    test: 'has both signatures during the overlap of a rotation, and one after it',
  },
  {
    name: 'webhooks: mail follows a user who has left',
    file: 'src/modules/identity/work/mail-delivery.ts',
    search: 'user !== undefined && isMember ?',
    replace: 'user !== undefined ?',
    spec: 'test/e2e/webhook-mail.spec.ts',
    test: 'a mail does not reach an admin who has left before it is sent',
  },
  {
    name: 'webhooks: a change stores a private address',
    file: service,
    search: 'if (url !== undefined) this.requests.requireUrl(url, organizationId);',
    replace: '',
    spec: http,
    test: 'is refused with ',
  },
  {
    name: 'webhooks: a paused receiver gets a message again',
    file: 'src/modules/webhooks/webhook-deliveries.service.ts',
    search: `    requireActive(webhook);
    this.unitOfWork.note({ metadata: { delivery`,
    replace: '    this.unitOfWork.note({ metadata: { delivery',
    spec: sent,
    test: 'is refused while the webhook is paused',
  },
  {
    name: 'webhooks: any number of messages is sent again',
    file: 'src/modules/webhooks/webhook-deliveries.service.ts',
    search: `    if (count > MAX_RANGE) throw rangeTooLarge(MAX_RANGE);
`,
    replace: '',
    spec: sent,
    test: 'sends nothing of a range with more than 10,000 messages',
  },
  {
    name: 'webhooks: what waits begins again with a range',
    file: deliveries,
    search: "d.state <> 'waiting' AND d.position IS NOT NULL",
    replace: 'd.position IS NOT NULL',
    spec: sent,
    test: 'sends a time range again',
  },
  {
    name: 'webhooks: an attempt that was lost ends the one after it',
    file: deliveries,
    search: "AND attempts = ${attempts} AND state = 'waiting'`",
    replace: "AND ${attempts}::int > 0 AND state = 'waiting'`",
    spec: sent,
    test: 'keeps no result of an attempt that counted as lost',
  },
  {
    name: 'webhooks: what waits is forgotten',
    file: deliveries,
    search: `AND state <> 'waiting'
          ORDER BY`,
    replace: `
          ORDER BY`,
    spec: sent,
    test: 'keeps waiting deliveries, however many newer ones have ended',
  },
  {
    name: 'webhooks: an overloaded receiver gets other messages',
    file: attempts,
    search: 'status === TOO_MANY || (status === UNAVAILABLE && asked > 0)',
    replace: 'status === TOO_MANY',
    spec: sent,
    test: 'and Retry-After',
  },
  {
    name: 'webhooks: a rotation of the key brings a replaced secret back',
    file: 'src/modules/feed/data/destinations.repository.ts',
    search: 'const which = { id, sealed } as',
    replace: 'const which = { id } as',
    spec: http,
    test: 'keeps its new secret when SECRET_KEY',
  },
];
