import type { Transitions } from './state-machine.ts'

export const provisioningStatuses = [
  'CREATED',
  'PROVISIONING',
  'READY',
  'FAILED',
  'SETTLED',
  'EXPIRED',
  'ABANDONED',
] as const
export type ProvisioningStatus = (typeof provisioningStatuses)[number]

/**
 * provision: the buyer chose a provider's method. ready, refuse: the provider's answer. open: the buyer chose
 * a coin.
 */
export type SessionTrigger =
  | 'provision'
  | 'ready'
  | 'refuse'
  | 'open'
  | 'settle'
  | 'expire'
  | 'abandon'
  | 'fail'

/** The transitions while a provider is asked for its page, while the page is open, and after a refusal. */
const provisioned = {
  provision: 'PROVISIONING',
  ready: 'READY',
  refuse: 'FAILED',
  open: 'READY',
  settle: 'SETTLED',
  expire: 'EXPIRED',
  fail: 'FAILED',
} as const

export const sessionTransitions: Transitions<ProvisioningStatus, SessionTrigger> = {
  CREATED: {
    provision: 'PROVISIONING',
    open: 'READY',
    settle: 'SETTLED',
    expire: 'EXPIRED',
    abandon: 'ABANDONED',
  },
  PROVISIONING: provisioned,
  READY: { ...provisioned, abandon: 'ABANDONED' },
  FAILED: provisioned,
  EXPIRED: { settle: 'SETTLED' },
  SETTLED: {},
  ABANDONED: {},
}

/** The private checkout session of an order. */
export interface Session {
  status: ProvisioningStatus
  updatedAt: number
}
