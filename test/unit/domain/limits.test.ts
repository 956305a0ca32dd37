import { expect, test } from 'bun:test'
import { EXPIRY_DAYS_MAX, OVERLAP_MAX_MS } from '../../../src/domain/api-key.ts'
import { LOGO_BYTES_MAX, logoSize } from '../../../src/domain/brand.ts'
import { LINKS_IN_MS, LINKS_MAX, retryMailAt } from '../../../src/domain/buyer-mail.ts'
import { DIGEST_GIVE_UP_MS, DIGEST_RETRY_MS } from '../../../src/domain/digest.ts'
import { parseBase64Image } from '../../../src/domain/image.ts'
import {
  GIVE_UP_SENDING_MS,
  latestStart,
  pauseAfter,
  retryAt,
  TRY_MS,
} from '../../../src/domain/notification.ts'
import { YEAR_MS } from '../../../src/domain/order.ts'
import { BACKUP_OLD_MS, DISK_LEAST_BYTES, isDiskLow } from '../../../src/domain/outage.ts'
import { SHARES_KEPT_MS, SHARES_READ } from '../../../src/domain/page-share.ts'
import { CHALLENGE_MS, PASSKEY_NAME_MAX, PASSKEYS_MAX } from '../../../src/domain/passkey.ts'
import { MAILS_TO_ADDRESS_IN_MS, MAILS_TO_ADDRESS_MAX } from '../../../src/domain/payment-mail.ts'
import { type PayoutCheck, payoutProblemOf, payoutProblems } from '../../../src/domain/payout-check.ts'
import { CODE_MS, CODE_PAUSE_MS, CODE_TRIES_MAX } from '../../../src/domain/person-channel.ts'
import { limits } from '../../../src/domain/quota.ts'
import {
  MINED_SOON_MS,
  MINED_WITHIN_MS,
  PROVIDER_GRACE_MS,
  SHARED_REST_MS,
} from '../../../src/domain/quote.ts'
import { SKIPPED_WATCH_MS } from '../../../src/domain/skipped-payment.ts'
import {
  HALF_LOGIN_MS,
  IDLE_MS,
  KNOWN_MS,
  LINK_MS,
  LOGIN_MS,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PROOF_MS,
  RESET_LINK_MS,
} from '../../../src/domain/user.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MB = 1024 * 1024

/** Values that people rely on. A change of one of them belongs in the changelog. */
test.each<[limit: string, value: unknown, expected: unknown]>([
  ['the time until a quoted payment is mined', [MINED_WITHIN_MS, MINED_SOON_MS], [6 * HOUR, 2 * HOUR]],
  ['grace at providers, and rest of shared addresses', [PROVIDER_GRACE_MS, SHARED_REST_MS], [3 * HOUR, DAY]],
  ['the watch of skipped addresses', SKIPPED_WATCH_MS, 30 * DAY],
  ['shares of pages', [SHARES_KEPT_MS, SHARES_READ], [90 * DAY, 300]],
  ['logins', [IDLE_MS, LOGIN_MS, HALF_LOGIN_MS, PROOF_MS], [12 * HOUR, 30 * DAY, 10 * MINUTE, 10 * MINUTE]],
  ['links to sign in, and known browsers', [LINK_MS, RESET_LINK_MS, KNOWN_MS], [3 * DAY, HOUR, 30 * DAY]],
  ['the length of passwords', [PASSWORD_MIN, PASSWORD_MAX], [10, 200]],
  ['passkeys', [CHALLENGE_MS, PASSKEYS_MAX, PASSKEY_NAME_MAX], [5 * MINUTE, 20, 60]],
  ['API keys', [EXPIRY_DAYS_MAX, OVERLAP_MAX_MS], [3650, 30 * DAY]],
  ['codes of channels', [CODE_MS, CODE_PAUSE_MS, CODE_TRIES_MAX], [HOUR, MINUTE, 5]],
  ['links mailed to buyers', [LINKS_MAX, LINKS_IN_MS], [3, HOUR]],
  ['mails about payments', [MAILS_TO_ADDRESS_MAX, MAILS_TO_ADDRESS_IN_MS], [10, HOUR]],
  ['digests', [DIGEST_GIVE_UP_MS, DIGEST_RETRY_MS], [6 * HOUR, 15 * MINUTE]],
  ['notifications', [GIVE_UP_SENDING_MS, TRY_MS], [7 * DAY, 2 * MINUTE]],
  ['logos', [LOGO_BYTES_MAX, logoSize], [102_400, { min: 32, max: 1024 }]],
  ['the expiry of orders', YEAR_MS, 365 * DAY],
  ['free space and old backups', [DISK_LEAST_BYTES, BACKUP_OLD_MS], [64 * MB, 8 * DAY]],
  [
    'messages to people who may not want them',
    Object.values(limits).map(({ max, lengthMs }) => [max, lengthMs / HOUR]),
    [
      ...[
        [10, 1],
        [3, 1],
        [30, 1],
        [20, 24],
      ],
      ...[
        [3, 1],
        [30, 24],
        [3, 1],
        [5, 1],
        [60, 1],
        [1000, 24],
      ],
    ],
  ],
])('%s', (_, value, expected) => {
  expect(value).toEqual(expected)
})

test('messages and mails are retried at growing intervals', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7].map(failures => retryAt(failures, 0) / MINUTE)
  expect(minutes).toEqual([1, 5, 15, 60, 180, 360, 360])
  const mails = [1, 2, 3, 4, 5].map(failures => (retryMailAt(failures, 0) ?? 0) / MINUTE)
  expect(mails).toEqual([1, 5, 30, 120, 360])
  expect(retryMailAt(6, 0)).toBeNull()
  expect([20, 21].map(pauseAfter)).toEqual([10 * MINUTE, HOUR])
  expect([0, 1].map(failures => latestStart({ failures } as never, 5))).toEqual([5 + HOUR, 5 + MINUTE])
})

test('disk space is low below 1 GiB, or below twice the size of the database', () => {
  expect([1024 * MB - 1, 1024 * MB].map(free => isDiskLow(free, 512 * MB))).toEqual([true, false])
  expect([2048 * MB - 1, 2048 * MB].map(free => isDiskLow(free, 1024 * MB))).toEqual([true, false])
})

test('a payout wallet that is a contract on one chain is a problem on chains without it', () => {
  const check = (chain: string, isContract: boolean, coinRefusal: string | null = null): PayoutCheck =>
    ({ address: '0x1', chain, isContract, coinRefusal, checkedAt: 0 }) as PayoutCheck
  const coin = { chain: 'base', contract: null }
  const token = { chain: 'base', contract: '0x2' }
  const reasons = (...checks: PayoutCheck[]) =>
    [coin, token].map(asset => payoutProblemOf(payoutProblems(checks), asset) !== null)
  expect(reasons(check('polygon', false), check('base', false))).toEqual([false, false])
  expect(reasons(check('polygon', true), check('base', true))).toEqual([false, false])
  expect(reasons(check('polygon', true), check('base', false))).toEqual([true, true])
  expect(reasons(check('polygon', false), check('base', true))).toEqual([false, false])
  expect(reasons(check('base', true, 'refuses coins'))).toEqual([true, false])
})

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
const webp = new TextEncoder().encode('RIFF1234WEBP')
const wave = new TextEncoder().encode('RIFF1234WAVE')
const base64 = (bytes: Uint8Array) => bytes.toBase64()

test('an image is decoded from Base64 or a data URI that names its type', () => {
  expect(parseBase64Image(base64(png), '/image')).toEqual({ type: 'image/png', bytes: png })
  expect(parseBase64Image(`data:image/WEBP;base64,${base64(webp)}`, '/image').type).toBe('image/webp')
  for (const wrong of [base64(wave), `data:image/jpeg;base64,${base64(png)}`, 'data:image/png,a', 'a', ''])
    expect(() => parseBase64Image(wrong, '/image')).toThrow()
  const largest = new Uint8Array(307_200)
  largest.set(png)
  expect(parseBase64Image(base64(largest), '/image').bytes).toHaveLength(307_200)
  const larger = new Uint8Array(307_201)
  larger.set(png)
  expect(() => parseBase64Image(base64(larger), '/image')).toThrow('at most 307200 bytes')
})
