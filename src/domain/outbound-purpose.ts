/**
 * Uses of a host in a private network that the operator allows. A person who names a URL of one purpose must
 * not reach hosts that were allowed for another.
 */
export const outboundPurposes = ['endpoint', 'webhook', 'channel', 'lightning'] as const

export type OutboundPurpose = (typeof outboundPurposes)[number]

/**
 * Purposes of an entry that names none: endpoints, which only operators choose, and webhooks, which include
 * return URLs and images of owners. Channels are never implied, because a viewer can add one; Lightning is
 * not implied, because the server of a wallet is hardly ever in a private network.
 */
export const impliedPurposes: readonly OutboundPurpose[] = ['endpoint', 'webhook']

export interface AllowedHost {
  host: string
  port: number
  purposes: readonly OutboundPurpose[]
}
