/** Max number of times that something may happen in a period. The period begins with the first time. */
export interface Limit {
  max: number
  lengthMs: number
}

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Limits of messages to people who may not want them. Anybody can add a channel that is not theirs, and open
 * a payment in the name of an address.
 */
export const limits = {
  /** codes that are sent to all channels of a person */
  codeOfPerson: { max: 10, lengthMs: HOUR_MS },
  /** codes to one mailbox, URL or chat, from all people together */
  codeToDestination: { max: 3, lengthMs: HOUR_MS },
  /** codes for all people of a shop */
  codeOfShop: { max: 30, lengthMs: HOUR_MS },
  testOfPerson: { max: 20, lengthMs: DAY_MS },
  /** invitations that are mailed to one mailbox */
  invitationToMailbox: { max: 3, lengthMs: HOUR_MS },
  invitationOfShop: { max: 30, lengthMs: DAY_MS },
  /** links to choose a new password, for which anybody can ask */
  passwordLinkToMailbox: { max: 3, lengthMs: HOUR_MS },
  /** mails about orders that people of a shop send by hand */
  orderMailToMailbox: { max: 5, lengthMs: HOUR_MS },
  /** links to orders for buyers at one mail domain */
  linkToDomain: { max: 60, lengthMs: HOUR_MS },
  linkOfShop: { max: 1000, lengthMs: DAY_MS },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
