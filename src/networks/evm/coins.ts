import { NetworkFault } from '../port.ts'
import { type Account, type FoundChange, findChanges, type Step } from './balance-changes.ts'
import { Reorganised } from './logs.ts'
import type { Movements } from './movements.ts'
import { ask, balanceAt, type Header, headerAt, nonceAt } from './questions.ts'
import type { Node } from './rpc.ts'
import type { Subject } from './subject.ts'

/** Every change of the native balances since the cursors, in which block it happened. Throws NetworkFault. */
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
  return new Map(subjects.map((subject, index) => [subject, merged(accounts[index]!, found)]))
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
function merged(account: Account, found: FoundChange[]): Step[] {
  const own = found.filter(change => change.account === account)
  const byHeight = Map.groupBy([...account.changes, ...own], ({ height }) => height)
  return [...byHeight].map(([height, changes]) => ({
    height,
    amount: changes.reduce((sum, { amount }) => sum + amount, 0n),
    sent: changes.reduce((sum, { sent }) => sum + sent, 0n),
  }))
}
