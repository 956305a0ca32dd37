import { createHash } from 'node:crypto'
import { currencyDecimals } from '../../domain/currency.ts'
import { DIGEST_GIVE_UP_MS, DIGEST_RETRY_MS, type DigestTimes, digestTimes } from '../../domain/digest.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { amountOf } from '../../domain/money.ts'
import type { PersonChannel } from '../../domain/person-channel.ts'
import type { Sums } from '../../domain/statistics.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import type { Context, Tables } from '../context.ts'
import { countOpen } from '../payments/steps/count-open.ts'
import { sendToPerson } from './send.ts'

type DigestContext = Pick<Context, 'storage' | 'clock' | 'channels' | 'ids' | 'log' | 'policy'>

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
  /** null if it was sent, or is not to be sent */
  digest: Digest | null
}

/** No digest counts further than this. */
const COUNTED_MAX = 500

/** Schedules the next digest of a channel, if it has any. */
export async function scheduleDigest(tables: Tables, channel: PersonChannel, now: number): Promise<void> {
  const merchant = await tables.merchants.find(channel.merchantId)
  if (channel.digestHour === null || !merchant) return
  const { next: dueAt } = digestTimes(channel.digestHour, merchant.timeZone, now)
  await tables.jobs.schedule({ kind: 'channel.digest', subject: channel.id, lane: 'digest', dueAt })
}

/** Sends the digest of a channel if it is due. Returns when to run again; null if it has no digest. */
export async function sendDigest(context: DigestContext, channelId: string): Promise<number | null> {
  const due = await context.storage.read(tables => readDigest(tables, channelId, context.clock()))
  if (!due) return null
  const { channel, merchant, times, digest } = due
  if (!digest) return times.next
  const id = createHash('sha256').update(`${channel.id} ${times.to}`).digest('hex').slice(0, 32)
  const subject = `${merchant.name}: ${paidText(digest)}`
  const text = textOf(context, merchant, times, digest)
  const fault = await sendToPerson(context, channel, { kind: 'digest', subject, text }, id)
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
  const isDue = channel.verifiedAt !== null && times.to > (channel.digestedUntil ?? 0)
  return { channel, merchant, times, digest: isDue ? await collect(tables, merchant.id, times) : null }
}

async function collect(tables: Tables, merchantId: string, { from, to }: DigestTimes): Promise<Digest> {
  const sums: Digest['sums'] = []
  for (const currency of await tables.statistics.listCurrencies(merchantId)) {
    const [found] = await tables.statistics.listSums(merchantId, currency, [from, to])
    if (found) sums.push({ currency, sums: found })
  }
  const webhook = await tables.webhooks.find(merchantId)
  return {
    sums: sums.filter(({ sums: { createdCount, paidCount, refundedCount, forcedCount } }) =>
      [createdCount, paidCount, refundedCount, forcedCount].some(count => count > 0),
    ),
    openPayments: await countOpen(tables, merchantId, COUNTED_MAX),
    failedEvents: await tables.events.countByStatus(merchantId, 'failed'),
    isWebhookDown: webhook !== null && (webhook.status === 'disabled' || webhook.failingSince !== null),
  }
}

const countText = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`

const total = ({ sums }: Digest, count: 'createdCount' | 'paidCount' | 'forcedCount'): number =>
  sums.reduce((sum, row) => sum + row.sums[count], 0)

const paidText = (digest: Digest): string =>
  `${countText(total(digest, 'paidCount') + total(digest, 'forcedCount'), 'order', 'orders')} paid`

const moneyText = (units: bigint, currency: string): string =>
  `${currencyDecimals(currency) === undefined ? units : amountOf(units, currency)} ${currency}`

function sumLines({ sums }: Digest): string[] {
  return sums.flatMap(({ currency, sums: { gross, net, refunded, forced } }) => {
    const parts = [
      gross > 0n && `paid ${moneyText(gross, currency)}`,
      forced > 0n && `marked as paid ${moneyText(forced, currency)}`,
      refunded > 0n && `refunded ${moneyText(refunded, currency)}`,
      gross > 0n && net !== gross && `after fees and refunds ${moneyText(net, currency)}`,
    ].filter(part => part !== false)
    return parts.length > 0 ? [`${currency}: ${parts.join(', ')}`] : []
  })
}

function attentionLines({ openPayments, failedEvents, isWebhookDown }: Digest): string[] {
  const payments = countText(
    openPayments,
    'payment paid no order and waits',
    'payments paid no order and wait',
  )
  return [
    openPayments > 0 && `- ${payments} for your decision.`,
    failedEvents > 0 &&
      `- ${countText(failedEvents, 'event', 'events')} could not be delivered to your webhook.`,
    isWebhookDown && '- Your webhook is failing.',
  ].filter(line => line !== false)
}

function textOf(
  { policy }: Pick<Context, 'policy'>,
  { timeZone }: Merchant,
  { from, to }: DigestTimes,
  digest: Digest,
): string {
  const format = new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  })
  const attention = attentionLines(digest)
  const created = countText(total(digest, 'createdCount'), 'order was', 'orders were')
  return [
    `From ${format.format(from)} to ${format.format(to)} (${timeZone})`,
    `${created} created, and ${paidText(digest)}.`,
    sumLines(digest).join('\n'),
    attention.length > 0 ? `What needs attention:\n${attention.join('\n')}` : 'Nothing needs attention.',
    `${policy.dashboardUrl}/dashboard`,
  ]
    .filter(part => part !== '')
    .join('\n\n')
}
