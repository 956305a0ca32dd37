import { readBytes, readNumber, readQuantity, toTopic } from '../../evm-like/hex.ts'
import type { Query } from '../../rpc/batch.ts'
import type { Call, NodeError } from '../../rpc/json-rpc-codec.ts'
import { type EvmCall, runtimeCode } from '../forwarder/forwarder.ts'

const BALANCE_OF_SELECTOR = '0x70a08231'
const WORD_CHARACTERS = 66
const REVERTED = 3

/**
 * Reads the balance of a token, or of the coin if `token` is null. The result is null if the contract reports
 * no balance.
 */
export const balanceQuery = (address: string, token: string | null): Query<bigint | null> =>
  token === null
    ? { call: { method: 'eth_getBalance', params: [address, 'latest'] }, read: readQuantity }
    : {
        call: {
          method: 'eth_call',
          params: [{ to: token, data: BALANCE_OF_SELECTOR + toTopic(address).slice(2) }, 'latest'],
        },
        read(json) {
          const bytes = readBytes(json)
          return bytes.length >= WORD_CHARACTERS ? BigInt(bytes.slice(0, WORD_CHARACTERS)) : null
        },
      }

/** The gas of a call, or the reason why it would fail; null if the node cannot estimate the gas. */
export type GasEstimate = number | { failure: string } | null

const estimate = (params: Call['params']): Query<GasEstimate> => ({
  call: { method: 'eth_estimateGas', params },
  read: readNumber,
  onRefused: ({ code, message }: NodeError) =>
    code === REVERTED || /revert/i.test(message) ? { failure: message } : null,
})

export const gasQuery = ({ to, data }: EvmCall): Query<GasEstimate> => estimate([{ to, data }, 'latest'])

/** Estimates the gas of a call to a forwarder as if it were deployed. */
export const gasOnceDeployedQuery = ({ to, data }: EvmCall, payout: string): Query<GasEstimate> =>
  estimate([{ to, data }, 'latest', { [to]: { code: runtimeCode(payout) } }])
