import { describe, expect, test } from 'bun:test'
import { type OrderTrigger, orderStatuses, orderTransitions } from '../../../src/domain/order.ts'
import { provisioningStatuses, type SessionTrigger, sessionTransitions } from '../../../src/domain/session.ts'
import { nextState } from '../../../src/domain/state-machine.ts'

const orderTriggers: OrderTrigger[] = ['cancel', 'settle', 'force', 'expire', 'fail']
const sessionTriggers: SessionTrigger[] = [
  'provision',
  'ready',
  'refuse',
  'open',
  'settle',
  'expire',
  'abandon',
  'fail',
]

/** Written by hand, not generated from the code. A transition that is not listed is refused. */
const orderCells: Record<string, string> = {
  'UNPAID cancel': 'CANCELLED',
  'UNPAID settle': 'PAID',
  'UNPAID force': 'PAID',
  'UNPAID expire': 'EXPIRED',
  'UNPAID fail': 'FAILED',
  'EXPIRED settle': 'PAID',
}

const sessionCells: Record<string, string> = {
  'CREATED provision': 'PROVISIONING',
  'CREATED open': 'READY',
  'CREATED settle': 'SETTLED',
  'CREATED expire': 'EXPIRED',
  'CREATED abandon': 'ABANDONED',
  'PROVISIONING provision': 'PROVISIONING',
  'PROVISIONING ready': 'READY',
  'PROVISIONING refuse': 'FAILED',
  'PROVISIONING open': 'READY',
  'PROVISIONING settle': 'SETTLED',
  'PROVISIONING expire': 'EXPIRED',
  'PROVISIONING fail': 'FAILED',
  'READY provision': 'PROVISIONING',
  'READY ready': 'READY',
  'READY refuse': 'FAILED',
  'READY open': 'READY',
  'READY settle': 'SETTLED',
  'READY expire': 'EXPIRED',
  'READY abandon': 'ABANDONED',
  'READY fail': 'FAILED',
  'FAILED provision': 'PROVISIONING',
  'FAILED ready': 'READY',
  'FAILED refuse': 'FAILED',
  'FAILED open': 'READY',
  'FAILED settle': 'SETTLED',
  'FAILED expire': 'EXPIRED',
  'FAILED fail': 'FAILED',
  'EXPIRED settle': 'SETTLED',
}

describe('every state and trigger of an order', () => {
  for (const status of orderStatuses) {
    for (const trigger of orderTriggers) {
      const to = orderCells[`${status} ${trigger}`]
      test(`${status} ${trigger}: ${to ?? 'refused'}`, () => {
        expect<string | undefined>(nextState(orderTransitions, status, trigger)).toBe(to)
      })
    }
  }
})

describe('every state and trigger of a session', () => {
  for (const status of provisioningStatuses) {
    for (const trigger of sessionTriggers) {
      const to = sessionCells[`${status} ${trigger}`]
      test(`${status} ${trigger}: ${to ?? 'refused'}`, () => {
        expect<string | undefined>(nextState(sessionTransitions, status, trigger)).toBe(to)
      })
    }
  }
})
