import { createHash } from 'node:crypto'
import { currencyDecimals } from '../../domain/currency.ts'
import { DIGEST_GIVE_UP_MS, DIGEST_RETRY_MS, type DigestTimes, digestTimes } from '../../domain/digest.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { amountOf } from '../../domain/money.ts'
import type { PersonChannel } from '../../domain/person-channel.ts'
import type { Sums } from '../../domain/statistics.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import type { Context, Tables } from '../context.ts'
import type { DigestContent } from '../letters.ts'
import { countOpen } from '../payments/browse-unmatched.ts'
import { isDown, readWebhookHealth } from '../webhooks/health.ts'
import { sendToPerson } from './send.ts'

type DigestContext = Pick<Context, 'storage' | 'clock' | 'channels' | 'ids' | 'letters' | 'log'>

interface Digest {
  sums: { currency: string; sums: Sums }[]
  openPayments: number
  failedEvents: number
  isWebhookDown: boolean
}

interface DueDigest {
  channel: ChannelWithEmail
  merchant: Merchant
  times: DigestTimes
  /** null if the digest was sent, or must not be sent */
  digest: Digest | null
}

/** Max open payments that a digest counts. */
const COUNTED_MAX = 500

export async function scheduleDigest(tables: Tables, channel: PersonChannel, now: number): Promise<void> {
  const merchant = await tables.merchants.find(channel.merchantId)
  if (channel.digestHour === null || !merchant) return
  const { next: dueAt } = digestTimes(channel.digestHour, merchant.timeZone, now)
  await tables.jobs.schedule({ kind: 'channel.digest', subject: channel.id, lane: 'digest', dueAt })
}

/**
 * Sends the digest of a channel if it is due. Returns the time of the next run; null if the channel has no
 * digest.
 */
export async function sendDigest(context: DigestContext, channelId: string): Promise<number | null> {
  const due = await context.storage.read(tables => readDigest(tables, channelId, context.clock()))
  if (!due) return null
  const { channel, merchant, times, digest } = due
  if (!digest) return times.next
  const id = createHash('sha256').update(`${channel.id} ${times.to}`).digest('hex').slice(0, 32)
  const letter = context.letters.digest(
    contentOf(merchant, times, digest),
    channel.language ?? merchant.language,
  )
  const fault = await sendToPerson(context, channel, { kind: 'digest', ...letter }, id)
  const now = context.clock()
  if (fault !== null && now + DIGEST_RETRY_MS < times.to + DIGEST_GIVE_UP_MS) return now + DIGEST_RETRY_MS
  await context.storage.write(tables => tables.personChannels.update(channel.id, { digestedUntil: times.to }))
  return times.next
}

async function readDigest(tables: Tables, channelId: string, now: number): Promise<DueDigest | null> {
  const channel = await tables.personChannels.find(channelId)
  const merchant = channel && (await tables.merchants.find(channel.merchantId))
  if (!merchant || channel.digestHour === null) return null
  const times = digestTimes(channel.digestHour, merchant.timeZone, now)
  const isUsed = channel.verifiedAt !== null && channel.suspendedAt === null
  const isDue = isUsed && times.to > (channel.digestedUntil ?? 0)
  return { channel, merchant, times, digest: isDue ? await collect(tables, merchant.id, times) : null }
}

async function collect(tables: Tables, merchantId: string, { from, to }: DigestTimes): Promise<Digest> {
  const sums: Digest['sums'] = []
  for (const currency of await tables.statistics.listCurrencies(merchantId)) {
    const [found] = await tables.statistics.listSums(merchantId, currency, [from, to])
    if (found) sums.push({ currency, sums: found })
  }
  const webhooks = await readWebhookHealth(tables, merchantId)
  return {
    sums: sums.filter(({ sums: { createdCount, paidCount, refundedCount, forcedCount } }) =>
      [createdCount, paidCount, refundedCount, forcedCount].some(count => count > 0),
    ),
    openPayments: await countOpen(tables, merchantId, COUNTED_MAX),
    failedEvents: webhooks.reduce((sum, { givenUp }) => sum + givenUp, 0),
    isWebhookDown: webhooks.some(({ webhook }) => isDown(webhook)),
  }
}

const total = ({ sums }: Digest, count: 'createdCount' | 'paidCount' | 'forcedCount'): number =>
  sums.reduce((sum, row) => sum + row.sums[count], 0)

const moneyText = (units: bigint, currency: string): string =>
  `${currencyDecimals(currency) === undefined ? units : amountOf(units, currency)} ${currency}`

function sumsOf({ currency, sums: { gross, net, refunded, forced } }: Digest['sums'][number]) {
  const text = (units: bigint, isShown: boolean) => (isShown ? moneyText(units, currency) : null)
  return {
    currency,
    paid: text(gross, gross > 0n),
    forced: text(forced, forced > 0n),
    refunded: text(refunded, refunded > 0n),
    net: text(net, gross > 0n && net !== gross),
  }
}

function contentOf({ name, timeZone }: Merchant, { from, to }: DigestTimes, digest: Digest): DigestContent {
  const { openPayments, failedEvents, isWebhookDown } = digest
  return {
    ...{ shop: name, timeZone, from, to, openPayments, failedEvents, isWebhookDown },
    created: total(digest, 'createdCount'),
    paid: total(digest, 'paidCount') + total(digest, 'forcedCount'),
    sums: digest.sums.map(sumsOf),
  }
}
