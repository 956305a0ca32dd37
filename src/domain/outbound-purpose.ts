/**
 * Uses of a host in a private network that the operator allows. A person who names a URL of one purpose must
 * not reach hosts that were allowed for another.
 */
export const outboundPurposes = ['endpoint', 'webhook', 'channel', 'lightning'] as const

export type OutboundPurpose = (typeof outboundPurposes)[number]

/**
 * Those of an entry that names none: endpoints, which only operators choose, and the webhooks, return URLs
 * and images of owners. A viewer can add a channel, so that is never implied, and a wallet's server is
 * hardly ever private.
 */
export const impliedPurposes: readonly OutboundPurpose[] = ['endpoint', 'webhook']

export interface AllowedHost {
  host: string
  port: number
  purposes: readonly OutboundPurpose[]
}
