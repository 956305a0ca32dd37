import type { PersonChannel } from '../../domain/person-channel.ts'

/**
 * A channel with the address of its person, the language in which they use the dashboard, if known, and since
 * when they are suspended, if they are.
 */
export type ChannelWithEmail = PersonChannel & {
  email: string
  language: string | null
  suspendedAt: number | null
}

export interface PersonChannels {
  /** A channel of a person who may still see its merchant; null for any other. */
  find(id: string): Promise<ChannelWithEmail | null>
  /** The channels of a person at a merchant, oldest first. */
  listOfUser(userId: string, merchantId: string): Promise<ChannelWithEmail[]>
  /** The verified channels of everybody who may see a merchant, and is not suspended. */
  listOfMerchant(merchantId: string): Promise<ChannelWithEmail[]>
  insert(channel: PersonChannel): Promise<void>
  update(id: string, change: Partial<Omit<PersonChannel, 'id'>>): Promise<void>
  /** Removes a channel, and what waits to be sent there. */
  remove(id: string): Promise<void>
}
