import { encodeTron, readTron } from '../../src/networks/addresses/tron.ts'
import type { Anvil } from './anvil.ts'

interface RpcBlock {
  hash: string
  number: string
  timestamp: string
  transactions: RpcTransaction[]
}

interface RpcTransaction {
  hash: string
  from: string
  to: string | null
  value: string
  input: string
}

interface RpcLog {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  transactionHash: string
}

interface RpcReceipt {
  status: string
  blockNumber: string
  logs: RpcLog[]
}

interface RpcTrace {
  action: { from: string; to?: string; value?: string; callType?: string }
  error?: string
  traceAddress: number[]
}

export const toTron = (hex: string): string => encodeTron(Uint8Array.from(Buffer.from(hex.slice(2), 'hex')))

export function toHex(address: string): string {
  const account = readTron(address)
  if (!account) throw new Error('INVALID base58 String')
  return `0x${Buffer.from(account).toString('hex')}`
}

const toHex41 = (hex: string): string => `41${hex.slice(2).toLowerCase()}`
export const quantity = (value: number): string => `0x${value.toString(16)}`

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Serves the chain of anvil as a TRON node reports it. */
export function tronChain(anvil: Anvil) {
  const blockAt = (height: number, isFull = false) =>
    anvil.rpc<RpcBlock>('eth_getBlockByNumber', [quantity(height), isFull])

  async function header(height: number): Promise<object> {
    const { hash, timestamp } = await blockAt(height)
    const raw_data = { ...(height > 0 && { number: height }), timestamp: Number(timestamp) * 1000 }
    return { blockID: hash.slice(2), block_header: { raw_data } }
  }

  async function internals(id: string): Promise<object[]> {
    const traces = await anvil.rpc<RpcTrace[]>('trace_transaction', [`0x${id}`])
    return traces
      .filter(({ traceAddress, action }) => traceAddress.length > 0 && Number(action.value ?? 0) > 0)
      .map(({ action, error, traceAddress }) => ({
        hash: `${id.slice(4)}${traceAddress.join('').padStart(4, '0')}`,
        caller_address: toHex41(action.from),
        transferTo_address: toHex41(action.to!),
        callValueInfo: [{ callValue: Number(action.value) }],
        note: '63616c6c',
        ...(error && { rejected: true }),
      }))
  }

  const isCall = async ({ to }: RpcTransaction) =>
    to !== null && (await anvil.rpc('eth_getCode', [to, 'latest'])) !== '0x'

  async function outcome(id: string, upTo: number): Promise<object> {
    const receipt = await anvil.rpc<RpcReceipt | null>('eth_getTransactionReceipt', [`0x${id}`])
    if (!receipt || Number(receipt.blockNumber) > upTo) return {}
    const { timestamp } = await blockAt(Number(receipt.blockNumber))
    const transaction = await anvil.rpc<RpcTransaction>('eth_getTransactionByHash', [`0x${id}`])
    const succeeded = receipt.status === '0x1'
    const ran = await isCall(transaction)
    const internalTransactions = ran ? await internals(id) : []
    return {
      id,
      blockNumber: Number(receipt.blockNumber),
      blockTimeStamp: Number(timestamp) * 1000,
      contractResult: [''],
      receipt: { net_usage: 268, ...(ran && { result: succeeded ? 'SUCCESS' : 'REVERT' }) },
      ...(!succeeded && { result: 'FAILED' }),
      ...(receipt.logs.length > 0 && {
        log: receipt.logs.map(({ address, topics, data }) => ({
          address: address.slice(2),
          topics: topics.map(topic => topic.slice(2)),
          data: data.slice(2),
        })),
      }),
      ...(internalTransactions.length > 0 && { internal_transactions: internalTransactions }),
    }
  }

  async function transactionOf(transaction: RpcTransaction): Promise<object> {
    const { hash, from, to, value, input } = transaction
    const receipt = await anvil.rpc<RpcReceipt>('eth_getTransactionReceipt', [hash])
    const parties = { owner_address: toHex41(from) }
    const ran = to === null || (await isCall(transaction))
    const parameter = ran
      ? { ...parties, contract_address: to && toHex41(to), data: input.slice(2), call_value: Number(value) }
      : { ...parties, to_address: toHex41(to), amount: Number(value) }
    const type = ran ? 'TriggerSmartContract' : 'TransferContract'
    return {
      ret: [{ contractRet: receipt.status === '0x1' ? 'SUCCESS' : 'REVERT' }],
      txID: hash.slice(2),
      raw_data: {
        contract: [
          { parameter: { value: parameter, type_url: `type.googleapis.com/protocol.${type}` }, type },
        ],
      },
    }
  }

  async function transaction(id: string, upTo: number): Promise<object> {
    const known = (await outcome(id, upTo)) as { id?: string }
    if (!known.id) return {}
    return transactionOf(await anvil.rpc<RpcTransaction>('eth_getTransactionByHash', [`0x${id}`]))
  }

  const timeAt = async (height: number): Promise<number> => Number((await blockAt(height)).timestamp) * 1000

  async function tokenLines(account: string, upTo: number, query: URLSearchParams): Promise<object[]> {
    const contract = query.get('contract_address')
    const logs = await anvil.rpc<RpcLog[]>('eth_getLogs', [
      {
        fromBlock: '0x0',
        toBlock: quantity(upTo),
        topics: [TRANSFER, null, `0x${account.slice(2).padStart(64, '0')}`],
        ...(contract && { address: toHex(contract) }),
      },
    ])
    const lines = await Promise.all(
      logs.map(async ({ address, topics, data, blockNumber, transactionHash }) => ({
        transaction_id: transactionHash.slice(2),
        token_info: { symbol: 'USDT', address: toTron(address), decimals: 6, name: 'Tether USD' },
        block_timestamp: await timeAt(Number(blockNumber)),
        from: toTron(`0x${topics[1]!.slice(26)}`),
        to: toTron(`0x${topics[2]!.slice(26)}`),
        type: 'Transfer',
        value: BigInt(data).toString(),
      })),
    )
    return lines.filter(line => line.block_timestamp >= Number(query.get('min_timestamp'))).reverse()
  }

  async function coinLines(account: string, upTo: number, query: URLSearchParams): Promise<object[]> {
    const lines: object[] = []
    for (let height = upTo; height >= 0; height--) {
      const { timestamp, transactions } = await blockAt(height, true)
      const at = Number(timestamp) * 1000
      if (at < Number(query.get('min_timestamp'))) break
      for (const one of transactions) lines.push(...(await coinLinesOf(one, account, at)))
    }
    return lines
  }

  async function coinLinesOf(one: RpcTransaction, account: string, block_timestamp: number) {
    const tx_id = one.hash.slice(2)
    const internalTransactions = (await internals(tx_id)) as { hash: string; transferTo_address: string }[]
    const own = internalTransactions.filter(
      ({ transferTo_address }) => transferTo_address === toHex41(account),
    )
    const direct =
      one.to?.toLowerCase() === account ? [{ ...(await transactionOf(one)), block_timestamp }] : []
    return [
      ...direct,
      ...own.map(({ hash, transferTo_address }) => ({
        internal_tx_id: hash,
        tx_id,
        to_address: transferTo_address,
        block_timestamp,
      })),
    ]
  }

  return { header, outcome, transaction, tokenLines, coinLines }
}
