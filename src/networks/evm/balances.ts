import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { readBytes, toQuantity } from './hex.ts'
import { balanceAt, type Header, headerAt } from './rpc-calls.ts'

/**
 * A program that a node runs without keeping anything, as the making of a contract: it answers with the time
 * of its block, and then with the balance of each address that follows it.
 */
const PROGRAM =
  '0x42602052602f60405b38821015602757601482600c3960005131815260200190601401906008565b602080910390f3'

const WORD_CHARACTERS = 64
/** The answer may be as long as a contract, and the gas as much as nodes permit: neither is half used. */
const ADDRESSES_AT_ONCE = 400
const LOOKS_WITHOUT = 100
/** For so few it is not worth a program. */
const SINGLY_MAX = 4

/** Asks questions of one block, by its height, on the chain of `head` alone. Throws NetworkFault. */
export async function askAtHead<T>(node: Node, head: Header, questions: Query<T>[]): Promise<T[]> {
  if (questions.length === 0) return []
  const [tip, ...answers] = await ask<[Header | null, ...T[]]>(node, [headerAt(head.height), ...questions])
  if (tip?.hash !== head.hash) throw new Reorganised()
  return answers
}

/** Reads many balances in few questions; one by one from a node that does not run the program. */
export class BalanceReader {
  /** for how many more looks a node is not given the program that it did not run */
  readonly #rests = new WeakMap<Node, number>()

  /** In the order of the addresses. Throws NetworkFault. */
  async read(node: Node, addresses: string[], head: Header): Promise<bigint[]> {
    const together = addresses.length > SINGLY_MAX && (await this.#readTogether(node, addresses, head))
    if (together) return together
    const singly = await askAtHead(
      node,
      head,
      addresses.map(address => balanceAt(address, head.height)),
    )
    return singly.map(balance => {
      if (balance === null) throw new NetworkError('does not know the balances of its newest block')
      return balance
    })
  }

  async #readTogether(node: Node, addresses: string[], head: Header): Promise<bigint[] | null> {
    const rest = this.#rests.get(node) ?? 0
    this.#rests.set(node, rest - 1)
    if (rest > 0) return null
    const unique = [...new Set(addresses)]
    const pieces = Array.from({ length: Math.ceil(unique.length / ADDRESSES_AT_ONCE) }, (_, index) =>
      unique.slice(index * ADDRESSES_AT_ONCE, (index + 1) * ADDRESSES_AT_ONCE),
    )
    const answers = await askAtHead(
      node,
      head,
      pieces.map(piece => balancesOf(piece, head)),
    )
    if (answers.includes(null)) {
      this.#rests.set(node, LOOKS_WITHOUT)
      return null
    }
    const balances = answers.flatMap(answer => answer ?? [])
    const byAddress = new Map(unique.map((address, index) => [address, balances[index]!]))
    return addresses.map(address => byAddress.get(address)!)
  }
}

/** Null where the node did not run the program in that block. */
const balancesOf = (addresses: string[], head: Header): Query<bigint[] | null> => ({
  call: {
    method: 'eth_call',
    params: [
      { data: PROGRAM + addresses.map(address => address.slice(2)).join('') },
      toQuantity(head.height),
    ],
  },
  read(json) {
    const digits = readBytes(json).slice(2)
    if (digits.length !== (addresses.length + 1) * WORD_CHARACTERS) return null
    const [time, ...balances] = Array.from({ length: addresses.length + 1 }, (_, index) =>
      BigInt(`0x${digits.slice(index * WORD_CHARACTERS, (index + 1) * WORD_CHARACTERS)}`),
    )
    return time === BigInt(head.at / 1000) ? balances : null
  },
  onRefused: () => null,
})
