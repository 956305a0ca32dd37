import type { Asset } from '../../domain/asset.ts'
import { codeOf } from '../evm-like/rpc-calls.ts'
import type { PayoutState } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'

/**
 * Matches the code of an ordinary account that delegates to a contract (EIP-7702). The account does not count
 * as a contract, since its key works on every chain.
 */
const DELEGATION = /^0xef0100/
/** The sender of the test payment: an account without an owner, which no contract treats in a special way. */
const PAYER = '0x00000000000000000000000000000000f10814bb'
const REVERTED = 3

type Outcome = 'accepted' | 'refused' | 'unknown'

/** Asks whether an address accepts one wei from a stranger. A node without state overrides cannot answer. */
const acceptsCoin = (to: string): Query<Outcome> => ({
  call: {
    method: 'eth_call',
    params: [{ from: PAYER, to, value: '0x1' }, 'latest', { [PAYER]: { balance: '0xde0b6b3a7640000' } }],
  },
  read: () => 'accepted',
  onRefused: ({ code, message }) =>
    code === REVERTED || /revert|invalid opcode|out of gas/i.test(message) ? 'refused' : 'unknown',
})

/** Reads the state of a payout wallet's address. Throws NetworkError. */
export async function payoutState(node: Node, { chain }: Asset, address: string): Promise<PayoutState> {
  const [code] = await ask(node, [codeOf(address)])
  if (code === '0x') return { isContract: false, coinRefusal: null }
  const [outcome] = await ask(node, [acceptsCoin(address)])
  return {
    isContract: !DELEGATION.test(code),
    coinRefusal: outcome === 'refused' ? `the payout wallet does not accept the coin of ${chain}` : null,
  }
}
