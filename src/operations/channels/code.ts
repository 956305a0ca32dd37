import { Refusal } from '../../domain/errors.ts'
import { CODE_MS, CODE_PAUSE_MS, CODE_TRIES_MAX } from '../../domain/person-channel.ts'
import type { Context } from '../context.ts'
import { deliverCode, hashCode, prepareCode } from './steps/code.ts'
import { type Owner, requireChannel } from './steps/require-channel.ts'

type CodeContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'log'>

/** Sends a new code to a channel. Returns null if it was sent, otherwise the reason why not. */
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
 * Confirms a channel with the code that was sent to it. After a few wrong codes, a new code has to be sent.
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
