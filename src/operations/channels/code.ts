import { createHash } from 'node:crypto'
import { mailboxOf } from '../../domain/buyer-mail.ts'
import { Refusal } from '../../domain/errors.ts'
import { CODE_MS, CODE_PAUSE_MS, CODE_TRIES_MAX } from '../../domain/person-channel.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import type { Context, Tables } from '../context.ts'
import { requireQuotas } from '../notices/quota.ts'
import { sendToPerson } from './send.ts'
import { type Owner, requireChannel } from './steps/require-channel.ts'

type CodeContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'log'>

const hashCode = (id: string, code: string): string =>
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
 * the destination had too many: nothing shows yet that the receiver has asked for it.
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

/** Sends a code. Returns null, or why it could not be sent. */
export const deliverCode = (
  context: CodeContext,
  { channel, code, language }: PreparedCode,
): Promise<string | null> =>
  sendToPerson(context, channel, {
    kind: 'channel_code',
    ...context.letters.channelCode({ code }, language),
  })

/** Sends a new code to a channel. Returns null, or why it could not be sent. */
export async function sendCode(context: CodeContext, owner: Owner, id: string): Promise<string | null> {
  const prepared = await context.storage.write(async tables => {
    const channel = await requireChannel(tables, owner, id)
    const wait = (channel.codeSentAt ?? 0) + CODE_PAUSE_MS - context.clock()
    if (wait > 0) throw new Refusal('rate_limited', undefined, { retryAfterSeconds: Math.ceil(wait / 1000) })
    return prepareCode(context, tables, channel)
  })
  return deliverCode(context, prepared)
}

/**
 * Confirms a channel with the code that was sent to it. After a few wrong ones, a new code has to be sent.
 */
export async function confirmChannel(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  owner: Owner,
  id: string,
  code: string,
): Promise<'verified' | 'wrong' | 'expired'> {
  return storage.write(async tables => {
    const { codeHash, codeSentAt, codeTries, verifiedAt } = await requireChannel(tables, owner, id)
    if (verifiedAt !== null) return 'verified'
    const now = clock()
    const isOver = codeTries >= CODE_TRIES_MAX || now >= (codeSentAt ?? 0) + CODE_MS
    if (codeHash === null || isOver) return 'expired'
    if (hashCode(id, code.replace(/\s/g, '')) !== codeHash) {
      await tables.personChannels.update(id, { codeTries: codeTries + 1 })
      return 'wrong'
    }
    await tables.personChannels.update(id, { verifiedAt: now, codeHash: null, updatedAt: now })
    return 'verified'
  })
}
