import type { Query } from '../../rpc/batch.ts'
import type { Call, NodeError } from '../../rpc/json-rpc-codec.ts'
import { type EvmCall, runtimeCode } from '../forwarder/forwarder.ts'
import { readBytes, readNumber, readQuantity, toTopic } from '../hex.ts'

const WORD_CHARACTERS = 66
const REVERTED = 3

/** What an address holds now of a token, or of the native coin for null; null where no token answers. */
export const holdingOf = (address: string, token: string | null): Query<bigint | null> =>
  token === null
    ? { call: { method: 'eth_getBalance', params: [address, 'latest'] }, read: readQuantity }
    : {
        call: {
          method: 'eth_call',
          params: [{ to: token, data: `0x70a08231${toTopic(address).slice(2)}` }, 'latest'],
        },
        read(json) {
          const bytes = readBytes(json)
          return bytes.length >= WORD_CHARACTERS ? BigInt(bytes.slice(0, WORD_CHARACTERS)) : null
        },
      }

/** What a call would use; a sentence where it would fail; null where the node cannot tell. */
export type GasAnswer = number | { fails: string } | null

const estimate = (params: Call['params']): Query<GasAnswer> => ({
  call: { method: 'eth_estimateGas', params },
  read: readNumber,
  onRefused: ({ code, message }: NodeError) =>
    code === REVERTED || /revert/i.test(message) ? { fails: message } : null,
})

export const gasOf = ({ to, data }: EvmCall): Query<GasAnswer> => estimate([{ to, data }, 'latest'])

/** The same with a forwarder to a payout wallet at the call's address, where none is yet. */
export const gasOnceDeployed = ({ to, data }: EvmCall, payout: string): Query<GasAnswer> =>
  estimate([{ to, data }, 'latest', { [to]: { code: runtimeCode(payout) } }])
