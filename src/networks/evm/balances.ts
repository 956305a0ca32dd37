import { readBytes, toQuantity } from '../evm-like/hex.ts'
import { type Header, headerAt } from '../evm-like/rpc-calls.ts'
import { NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { balanceAt } from './rpc-calls.ts'

/**
 * A program that a node runs as the creation of a contract and doesn't store. It returns the time of its
 * block, and the balance of each address that follows the code.
 */
const PROGRAM =
  '0x42602052602f60405b38821015602757601482600c3960005131815260200190601401906008565b602080910390f3'

const WORD_CHARACTERS = 64
/** The answer may be as long as a contract, and use as much gas as nodes allow: this uses less than half. */
const ADDRESSES_AT_ONCE = 400
/** The scans in which a node that didn't run the program is not given it again. */
const SCANS_WITHOUT_PROGRAM = 100
/** Up to this many addresses, single queries are cheaper than the program. */
const SINGLE_QUERIES_MAX = 4

/** Sends queries about the block of `head`, on the chain of `head` only. Throws NetworkError. */
export async function askAtHead<T>(node: Node, head: Header, queries: Query<T>[]): Promise<T[]> {
  if (queries.length === 0) return []
  const [block, ...answers] = await ask<[Header | null, ...T[]]>(node, [headerAt(head.height), ...queries])
  if (block?.hash !== head.hash) throw new Reorganised()
  return answers
}

/** Reads many balances in few queries; one by one from a node that doesn't run the program. */
export class BalanceReader {
  readonly #scansWithoutProgram = new WeakMap<Node, number>()

  /** In the order of the addresses. Throws NetworkError. */
  async read(node: Node, addresses: string[], head: Header): Promise<bigint[]> {
    const batch = addresses.length > SINGLE_QUERIES_MAX && (await this.#runProgram(node, addresses, head))
    if (batch) return batch
    const balances = await askAtHead(
      node,
      head,
      addresses.map(address => balanceAt(address, head.height)),
    )
    return balances.map(balance => {
      if (balance === null) throw new NetworkError('does not know the balances of its newest block')
      return balance
    })
  }

  /** Null if the node doesn't run the program. */
  async #runProgram(node: Node, addresses: string[], head: Header): Promise<bigint[] | null> {
    const left = this.#scansWithoutProgram.get(node) ?? 0
    this.#scansWithoutProgram.set(node, left - 1)
    if (left > 0) return null
    const unique = [...new Set(addresses)]
    const groups = Array.from({ length: Math.ceil(unique.length / ADDRESSES_AT_ONCE) }, (_, index) =>
      unique.slice(index * ADDRESSES_AT_ONCE, (index + 1) * ADDRESSES_AT_ONCE),
    )
    const answers = await askAtHead(
      node,
      head,
      groups.map(group => programQuery(group, head)),
    )
    if (answers.includes(null)) {
      this.#scansWithoutProgram.set(node, SCANS_WITHOUT_PROGRAM)
      return null
    }
    const balances = answers.flatMap(answer => answer ?? [])
    const byAddress = new Map(unique.map((address, index) => [address, balances[index]!]))
    return addresses.map(address => byAddress.get(address)!)
  }
}

/** Null if the node didn't run the program in that block. */
const programQuery = (addresses: string[], head: Header): Query<bigint[] | null> => ({
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
