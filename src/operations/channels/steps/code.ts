import { createHash } from 'node:crypto'
import { mailboxOf } from '../../../domain/buyer-mail.ts'
import type { ChannelWithEmail } from '../../../storage/port.ts'
import type { Context, Tables } from '../../context.ts'
import { requireQuotas } from '../../notices/quota.ts'
import { sendToPerson } from '../send.ts'

export const hashCode = (id: string, code: string): string =>
  createHash('sha256').update(`${id} ${code}`).digest('hex')

const CODE_DIGITS = 6

function newCode({ ids }: Pick<Context, 'ids'>): string {
  const number = new DataView(ids.random(4).buffer).getUint32(0) % 10 ** CODE_DIGITS
  return number.toString().padStart(CODE_DIGITS, '0')
}

/** A code that is stored and has yet to be sent. */
interface PreparedCode {
  channel: ChannelWithEmail
  code: string
  language: string
}

const destinationOf = ({ name, url, topic, email }: ChannelWithEmail): string =>
  name === 'mail' ? mailboxOf(email) : `${name} ${url} ${topic}`

/**
 * Stores a new code for a channel, to be sent after the write. Throws rate_limited if the person, the shop or
 * the destination had too many codes: the receiver may be a stranger who did not ask for them.
 */
export async function prepareCode(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  channel: ChannelWithEmail,
): Promise<PreparedCode> {
  const { id, userId, merchantId } = channel
  await requireQuotas(context, tables, [
    ['codeToDestination', destinationOf(channel)],
    ['codeOfPerson', userId],
    ['codeOfShop', merchantId],
  ])
  const code = newCode(context)
  const now = context.clock()
  const change = { codeHash: hashCode(id, code), codeSentAt: now, codeTries: 0, updatedAt: now }
  await tables.personChannels.update(id, change)
  const shop = await tables.merchants.find(merchantId)
  return { channel, code, language: channel.language ?? shop?.language ?? 'en' }
}

/** Sends a code. Returns null if it was sent, otherwise the reason why not. */
export const deliverCode = (
  context: Pick<Context, 'clock' | 'ids' | 'channels' | 'letters' | 'log'>,
  { channel, code, language }: PreparedCode,
): Promise<string | null> =>
  sendToPerson(context, channel, {
    kind: 'channel_code',
    ...context.letters.channelCode({ code }, language),
  })
