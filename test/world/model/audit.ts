import type { ManagedFact } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { type MakeRule, nameOf } from './rule.ts'

/** Rule 13: who changed what is in the audit log: every change once, and no other. */

interface AuditRow {
  merchant: string
  actor: string
  action: string
  subject: string
}

/** Decisions, as the audit log calls them. */
const ACTIONS: Record<string, string> = {
  accept: 'unmatched.accepted',
  end: 'order.ended',
  force: 'order.forced',
}

/** Changes that happen only when an owner makes them, each of which is told as a fact. */
const MANAGED: readonly ManagedFact['action'][] = [
  ...(['merchant.changed', 'webhook.secret_rotated', 'webhook.changed'] as const),
  ...(['key.created', 'key.revoked', 'product.created'] as const),
]

export const makeAudit: MakeRule = book => {
  let read: AuditRow[] | null = null
  /** how often something was done, by shop and action; what the log had when the history began is its start */
  const done = new Map<string, number>()

  const countsOf = (rows: AuditRow[]): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { merchant, action } of rows) {
      const key = `${merchant} ${action}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  /** Each decision that was carried out has its row, with the person who made it. */
  function decisionProblems(order: KnownOrder, bySubject: Map<string, AuditRow[]>): string[] {
    const rows = bySubject.get(`order:${order.id}`) ?? []
    const first = order.decisions.find(({ what }) => what === 'end')
    return order.decisions.flatMap(decision => {
      const { what, status, by } = decision
      // To end an order again changes nothing.
      if (what === 'end' && decision !== first) return []
      const action = ACTIONS[what]
      if (!action || status === null || by.who === 'viewer' || by.who === 'stranger') return []
      const own = rows.filter(row => row.action === action)
      const isNamed = own.some(({ actor }) => by.userId === null || actor === `user:${by.userId}`)
      return isNamed ? [] : [`13: ${nameOf(order)}: the audit log does not say that ${by.who} did ${what}`]
    })
  }

  /** What was resolved has its row under the ID of the payment, which only the server knows: rows are counted. */
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
