import type { Json } from '../../domain/metadata.ts'
import { NetworkError, type OwnAddress } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { writeCursor } from './cursor.ts'
import { type Account, accountOf, type ListedSignature, signaturesOf, slotOf } from './rpc-calls.ts'
import { trackedAccounts } from './tracked-accounts.ts'
import { walletProblem } from './verify.ts'

/**
 * The first cursor of a watch. It begins after the newest transaction of each account, and at the current
 * slot. Throws NetworkError for an address that is not a wallet.
 */
export async function startWatch(
  node: Node,
  config: ChainConfig,
  { address, source }: OwnAddress,
): Promise<Json> {
  const accounts = trackedAccounts(config, address, source, 0, [])
  const [slot, account, ...newest] = await ask<[number, Account | null, ...ListedSignature[][]]>(node, [
    slotOf('confirmed'),
    accountOf(address),
    ...accounts.map(tracked => signaturesOf(tracked.account, null, null, 0, 1)),
  ])
  const problem = walletProblem(address, account)
  if (problem) throw new NetworkError(problem)
  return writeCursor({
    startSlot: slot,
    finalTo: Math.max(0, slot - 1),
    reportedTo: 0,
    tipSlot: slot,
    accounts: accounts.map((tracked, index) => ({
      ...tracked,
      slot,
      until: newest[index]?.[0]?.signature ?? null,
    })),
  })
}
