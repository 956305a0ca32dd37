import type { Json } from '../../domain/metadata.ts'
import { readAddress, readBytes, readQuantity, readWord } from '../evm-like/hex.ts'
import type { Log } from '../evm-like/rpc-calls.ts'
import { ask, type Query } from '../rpc/batch.ts'
import { readArray, readObject } from '../rpc/json.ts'
import type { JsonRpc } from '../rpc/json-rpc.ts'
import { Reorganised } from '../rpc/reorg.ts'

/** The logs of a successful transaction. */
interface Receipt {
  blockHash: string
  logs: Set<string>
}

const idOf = ({ contract, topics, bytes }: Pick<Log, 'contract' | 'topics' | 'bytes'>): string =>
  `${contract} ${topics.join()} ${bytes}`

/** Identifies a log by its content, since nodes number the logs of a block in different ways. */
function readLogId(json: Json): string {
  const { address, topics, data } = readObject(json, 'a log')
  const words = readArray(topics, 'the topics of a log').map(readWord)
  return idOf({ contract: readAddress(address), topics: words, bytes: readBytes(data) })
}

/** Reads a receipt; null if the transaction failed, or is in no block of the node. */
const receiptOf = (txHash: string): Query<Receipt | null> => ({
  call: { method: 'eth_getTransactionReceipt', params: [txHash] },
  read(json) {
    if (json === null) return null
    const { blockHash, status, logs } = readObject(json, 'a receipt')
    if (readQuantity(status) !== 1n) return null
    const ids = readArray(logs ?? [], 'logs').map(readLogId)
    return { blockHash: readWord(blockHash), logs: new Set(ids) }
  },
})

/**
 * Compares logs with the receipts of their transactions. Throws Reorganised for a log that is not in the
 * receipt of a successful transaction.
 */
export async function verifyLogs(rpc: JsonRpc, logs: Log[]): Promise<void> {
  const receipts = await ask(
    rpc,
    logs.map(({ txHash }) => receiptOf(txHash)),
  )
  for (const [index, log] of logs.entries()) {
    const receipt = receipts[index]
    if (receipt?.blockHash !== log.blockHash || !receipt.logs.has(idOf(log))) throw new Reorganised()
  }
}
