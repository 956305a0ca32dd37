import type { ManagedFact } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { type MakeRule, nameOf } from './rule.ts'

/** Rule 13: the audit log has one entry for each change, with its author, and no other entries. */

interface AuditRow {
  merchant: string
  actor: string
  action: string
  subject: string
}

/** The actions of the audit log, by decision. */
const ACTIONS: Record<string, string> = {
  accept: 'unmatched.accepted',
  end: 'order.ended',
  force: 'order.forced',
}

/** Actions that only owners take. Each is recorded as a fact. */
const MANAGED: readonly ManagedFact['action'][] = [
  ...(['merchant.changed', 'webhook.secret_rotated', 'webhook.changed'] as const),
  ...(['key.created', 'key.revoked', 'product.created'] as const),
]

export const makeAudit: MakeRule = book => {
  let read: AuditRow[] | null = null
  /** number of actions by shop and kind; starts with those that the audit log had when the history began */
  const done = new Map<string, number>()

  const countsOf = (rows: AuditRow[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { merchant, action } of rows) {
      const key = `${merchant} ${action}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  /** Checks that the audit log has an entry for each decision that was carried out, with its author. */
  function decisionProblems(order: KnownOrder, bySubject: Map<string, AuditRow[]>): string[] {
    const rows = bySubject.get(`order:${order.id}`) ?? []
    const first = order.decisions.find(({ what }) => what === 'end')
    return order.decisions.flatMap(decision => {
      const { what, status, by } = decision
      // Ending an order that has ended changes nothing.
      if (what === 'end' && decision !== first) return []
      const action = ACTIONS[what]
      if (!action || status === null || by.who === 'viewer' || by.who === 'stranger') return []
      const own = rows.filter(row => row.action === action)
      const isNamed = own.some(({ actor }) => by.userId === null || actor === `user:${by.userId}`)
      return isNamed ? [] : [`13: ${nameOf(order)}: the audit log does not say that ${by.who} did ${what}`]
    })
  }

  /**
   * Counts the entries of resolved payments. They have the ID of the payment, which only the server knows, so
   * they cannot be matched one by one.
   */
  function resolvedProblems(rows: AuditRow[]): string[] {
    const decisions = [...book.orders.values()].flatMap(order =>
      order.decisions.filter(({ what, by }) => what === 'resolve' && /^(?:owner|staff)$/.test(by.who)),
    )
    const sure = decisions.filter(({ status }) => status !== null).length
    const told = rows.filter(({ action }) => action === 'unmatched.resolved').length
    return told >= sure && told <= decisions.length
      ? []
      : [`13: the audit log says ${told} times that a payment was resolved, not ${sure}`]
  }

  function managedProblems(rows: AuditRow[]): string[] {
    const said = countsOf(rows)
    return [...book.shops.values()].flatMap(({ id, shop }) =>
      MANAGED.flatMap(action => {
        const [told, is] = [said.get(`${id} ${action}`) ?? 0, done.get(`${id} ${action}`) ?? 0]
        return told === is
          ? []
          : [`13: the audit log says ${action} of shop ${shop} ${told} times, not ${is}`]
      }),
    )
  }

  return {
    note(fact) {
      if (fact.fact !== 'managed') return []
      const key = `${book.shops.get(fact.shop)?.id} ${fact.action}`
      done.set(key, (done.get(key) ?? 0) + 1)
      return []
    },
    hear(saying) {
      if (saying.says !== 'books') return []
      const isFirst = read === null
      read = saying.rows<AuditRow>(
        "SELECT COALESCE(merchant_id, '') AS merchant, actor, action, subject FROM audit_log",
      )
      if (isFirst) for (const [key, count] of countsOf(read)) done.set(key, count)
      return []
    },
    end() {
      if (read === null) return []
      const bySubject = Map.groupBy(read, row => row.subject)
      return [
        ...[...book.orders.values()].flatMap(order => decisionProblems(order, bySubject)),
        ...resolvedProblems(read),
        ...managedProblems(read),
      ]
    },
  }
}
