import { NetworkFault } from '../port.ts'
import { type Account, type FoundChange, findChanges, type Step } from './balance-changes.ts'
import { Reorganised } from './logs.ts'
import type { Movements } from './movements.ts'
import { ask, balanceAt, type Header, headerAt, nonceAt } from './questions.ts'
import type { Node } from './rpc.ts'
import type { Subject } from './subject.ts'

/**
 * Every change of the native balances since the cursors, in which block it happened. An account is left out of
 * which the node tells another past than was told before, since what it held may look like a payment; a
 * forwarder held nothing. Throws NetworkFault.
 */
export async function readChanges(
  node: Node,
  movements: Map<Subject, Movements>,
  head: Header,
): Promise<Map<Subject, Step[]>> {
  const subjects = [...movements.keys()]
  const owned = subjects.filter(({ cursor }) => cursor.account)
  const [tip, ...answers] = await ask<[Header | null, ...(bigint | null)[]]>(node, [
    headerAt(head.height),
    ...subjects.map(({ address }) => balanceAt(address, head.height)),
    ...owned.map(({ address }) => nonceAt(address, head.height)),
  ])
  if (tip?.hash !== head.hash) throw new Reorganised()
  if (answers.includes(null)) throw new NetworkFault('does not know the balances of its newest block')
  const told = answers as bigint[]
  const nonces = new Map(owned.map((subject, index) => [subject, told[subjects.length + index]!]))
  const accounts = subjects.map((subject, index) =>
    accountOf(
      subject,
      { balance: told[index]!, nonce: nonces.get(subject) ?? 0n },
      movements.get(subject)!.flushes,
    ),
  )
  const found = await findChanges(node, accounts, head.height)
  const byAccount = Map.groupBy(found, ({ account }) => account)
  const own = subjects.map((subject, index): [Subject, FoundChange[]] => [
    subject,
    byAccount.get(accounts[index]!) ?? [],
  ])
  const sure = own.filter(([{ cursor }, changes]) => !cursor.account || !changes.some(one => one.isDoubted))
  if (sure.length === 0) throw new NetworkFault('tells another past of an account than was told before')
  return new Map(sure.map(([subject, changes]) => [subject, merged(subject.cursor.changes, changes)]))
}

const accountOf = (
  { address, cursor }: Subject,
  head: Account['head'],
  flushes: Account['flushes'],
): Account => ({
  address,
  from: cursor.height,
  balance: cursor.balance,
  nonce: cursor.account?.nonce ?? null,
  head,
  changes: cursor.changes,
  flushes,
})

/** The known changes and the found ones, one for each block. */
function merged(known: Step[], found: Step[]): Step[] {
  const byHeight = Map.groupBy([...known, ...found], ({ height }) => height)
  return [...byHeight].map(([height, changes]) => ({
    height,
    amount: changes.reduce((sum, { amount }) => sum + amount, 0n),
    sent: changes.reduce((sum, { sent }) => sum + sent, 0n),
  }))
}
