import { randomAlphanumeric } from '../../domain/api-key.ts'
import type { AuditFields } from '../../domain/audit.ts'
import type { AuditAction } from '../../domain/audit-action.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type ChannelName, channelNames, type RecipientState } from '../../domain/notification.ts'
import { isNotificationKind } from '../../domain/notification-kind.ts'
import { parseNotifyTarget } from '../../domain/notify-target.ts'
import { PERSON_CHANNELS_MAX, type PersonChannel } from '../../domain/person-channel.ts'
import type { ChannelWithEmail } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context, Tables } from '../context.ts'
import { requireQuotas } from '../notices/quota.ts'
import { scheduleDigest } from './digest.ts'
import { sendToPerson } from './send.ts'
import { deliverCode, prepareCode } from './steps/code.ts'
import { type Owner, requireChannel } from './steps/require-channel.ts'

type ChannelContext = AuditContext & Pick<Context, 'storage' | 'outbound' | 'channels' | 'letters' | 'log'>

interface NewChannel {
  name: ChannelName
  /** URL, or Telegram chat; unused for mail */
  address: string
  /** access token of ntfy or Telegram; empty if there is none */
  secret: string
}

const SECRET_LENGTH = 40
const tokenPattern = /^[\x21-\x7e]{1,200}$/
const botPattern = /^[0-9]+:[\w-]{10,100}$/

/** A channel and the state of its messages. The state is null if nothing was sent to it yet. */
export interface ListedChannel {
  channel: ChannelWithEmail
  state: RecipientState | null
}

export const listChannels = (
  { storage }: Pick<Context, 'storage'>,
  { userId, merchantId }: Owner,
): Promise<ListedChannel[]> =>
  storage.read(async tables => {
    const listed: ListedChannel[] = []
    for (const channel of await tables.personChannels.listOfUser(userId, merchantId)) {
      listed.push({ channel, state: await tables.sends.findRecipient(`channel:${channel.id}`) })
    }
    return listed
  })

/**
 * Adds a channel and sends a code to it. The channel is used once the person has entered the code. Returns
 * the secret that signs messages to a URL. The secret is never shown again.
 */
export async function addChannel(
  context: ChannelContext,
  owner: Owner,
  input: NewChannel,
): Promise<{ id: string; secret: string | null; fault: string | null }> {
  const { url, topic } = await parseAddress(context, input)
  const secret = secretOf(context, input)
  const now = context.clock()
  const channel: PersonChannel = {
    id: context.ids.uuid(),
    ...owner,
    name: input.name,
    url,
    topic,
    secret,
    muted: [],
    digestHour: null,
    digestedUntil: null,
    verifiedAt: null,
    codeHash: null,
    codeSentAt: null,
    codeTries: 0,
    createdAt: now,
    updatedAt: now,
  }
  const prepared = await context.storage.write(async tables => {
    const all = await tables.personChannels.listOfUser(owner.userId, owner.merchantId)
    if (all.length >= PERSON_CHANNELS_MAX) {
      const message = `You have ${PERSON_CHANNELS_MAX} channels. Remove one first.`
      throw new Refusal('conflict', message, { reason: { kind: 'too_many_channels' } })
    }
    if (all.some(one => one.name === channel.name && one.url === url && one.topic === topic)) {
      throw new Refusal('conflict', 'You have this channel already.', { reason: { kind: 'channel_known' } })
    }
    await tables.personChannels.insert(channel)
    await recordChange(context, tables, 'channel.added', channel, null, audited(channel))
    return prepareCode(context, tables, await requireChannel(tables, owner, channel.id))
  })
  const fault = await deliverCode(context, prepared)
  return { id: channel.id, secret: channel.name === 'https' ? secret : null, fault }
}

async function parseAddress(
  { channels, outbound }: ChannelContext,
  { name, address }: NewChannel,
): Promise<{ url: string; topic: string }> {
  if (!channelNames.includes(name)) throw invalid('name', `must be one of ${channelNames.join(', ')}`)
  if (name === 'mail') {
    if (!channels.mail) throw invalid('name', 'cannot be mail, because this server sends none')
    return { url: '', topic: '' }
  }
  const target = parseNotifyTarget(name, address.trim())
  if (!target) throw invalid('address', 'must be an address of this service')
  await outbound.channel.check(target.url, 'address', true)
  return target
}

function secretOf({ ids }: Pick<Context, 'ids'>, { name, secret }: NewChannel): string | null {
  if (name === 'https') return `whsec_${randomAlphanumeric(ids.random, SECRET_LENGTH)}`
  if (name === 'mail') return null
  const token = secret.trim()
  if (name === 'telegram' && !botPattern.test(token)) throw invalid('secret', 'must be the token of a bot')
  if (token !== '' && !tokenPattern.test(token)) throw invalid('secret', 'must be an access token')
  return token === '' ? null : token
}

/** Sets the notifications and the digest of a channel. */
export async function changeChannel(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  owner: Owner,
  id: string,
  { muted, digestHour }: { muted: string[]; digestHour: number | null },
): Promise<void> {
  if (!muted.every(isNotificationKind)) throw invalid('muted', 'must be a list of kinds of notifications')
  if (digestHour !== null && !(Number.isInteger(digestHour) && digestHour >= 0 && digestHour <= 23)) {
    throw invalid('digestHour', 'must be a whole hour from 0 to 23')
  }
  await storage.write(async tables => {
    const channel = await requireChannel(tables, owner, id)
    const now = clock()
    // A digest that is switched on begins now, without the time during which it was off.
    const digestedUntil = channel.digestHour === digestHour ? channel.digestedUntil : now
    const change = { muted: [...new Set(muted)], digestHour, digestedUntil, updatedAt: now }
    await tables.personChannels.update(id, change)
    await scheduleDigest(tables, { ...channel, ...change }, now)
  })
}

/** Sends a test message to a verified channel. Returns null if it was sent, otherwise the reason why not. */
export async function testChannel(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'channels' | 'letters' | 'log'>,
  owner: Owner,
  id: string,
): Promise<string | null> {
  const { channel, shop } = await context.storage.write(async tables => {
    const found = await requireChannel(tables, owner, id)
    if (found.verifiedAt === null) throw new Refusal('conflict', 'Enter the code that was sent there first.')
    await requireQuotas(context, tables, [['testOfPerson', owner.userId]])
    return { channel: found, shop: await tables.merchants.find(owner.merchantId) }
  })
  const letter = context.letters.channelTest(
    { shop: shop?.name ?? '' },
    channel.language ?? shop?.language ?? 'en',
  )
  return sendToPerson(context, channel, { kind: 'test', ...letter })
}

/** Removes a channel. Pending messages to it are dropped. */
export const removeChannel = (context: AuditContext & Pick<Context, 'storage'>, owner: Owner, id: string) =>
  context.storage.write(async tables => {
    const channel = await requireChannel(tables, owner, id)
    await tables.personChannels.remove(id)
    await recordChange(context, tables, 'channel.removed', channel, audited(channel), null)
  })

/** A channel as the audit log shows it: without paths and topics, which may be secrets of the person. */
const audited = ({ userId, name, url }: PersonChannel): AuditFields => ({
  person: userId,
  name,
  host: url === '' ? null : new URL(url).host,
})

const recordChange = (
  context: AuditContext,
  tables: Tables,
  action: AuditAction,
  { merchantId, id }: PersonChannel,
  before: AuditFields | null,
  after: AuditFields | null,
) => recordAudit(context, tables, { merchantId, action, subject: `channel:${id}`, before, after })
