import { Refusal } from '../../../domain/errors.ts'
import type { ChannelWithEmail } from '../../../storage/port.ts'
import type { Tables } from '../../context.ts'

/** The owner of channels: a person at one merchant. */
export interface Owner {
  userId: string
  merchantId: string
}

export async function requireChannel(tables: Tables, owner: Owner, id: string): Promise<ChannelWithEmail> {
  const channel = await tables.personChannels.find(id)
  if (channel?.userId === owner.userId && channel.merchantId === owner.merchantId) return channel
  throw new Refusal('not_found', 'You have no such channel.')
}
