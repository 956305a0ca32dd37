import type { Json } from '../../domain/metadata.ts'
import { walletFaultText } from '../../domain/wallet-fault.ts'
import { readOrigin } from '../address-origin.ts'
import { NetworkError, type OwnAddress } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { readCursor, writeCursor } from './cursor.ts'
import {
  type Account,
  accountOf,
  accountsOf,
  health,
  type ListedSignature,
  signaturesOf,
  slotOf,
} from './rpc-calls.ts'
import { type AccountStates, balancesOf, statesByAccount, trackedAccounts } from './tracked-accounts.ts'
import { walletProblem } from './verify.ts'

/**
 * Makes the first cursor of a watch. It begins after the newest transaction of each account, and at the
 * current slot. A seed address had no transaction before and begins at slot 0, so that a false slot does no
 * harm. Throws NetworkError, also for an address that is not a wallet, and for a node that is behind.
 */
export async function startWatch(
  node: Node,
  config: ChainConfig,
  { address, source }: OwnAddress,
): Promise<Json> {
  const accounts = trackedAccounts(config, address, source, 0, [])
  const keys = accounts.map(tracked => tracked.account)
  const [, slot, account, reported, ...newest] = await ask<
    [null, number, Account | null, AccountStates, ...ListedSignature[][]]
  >(node, [
    health,
    slotOf('confirmed'),
    accountOf(address),
    accountsOf(keys),
    ...keys.map(key => signaturesOf(key, null, null, 0, 1)),
  ])
  const problem = walletProblem(address, account)
  if (problem) throw new NetworkError(walletFaultText(problem))
  const now = config.clock()
  const start = readOrigin(source).kind === 'seed' ? 0 : slot
  const balances = balancesOf(accounts, statesByAccount(keys, [reported]))
  return writeCursor({
    startSlot: slot,
    startedAt: now,
    finalTo: Math.max(0, start - 1),
    reportedTo: 0,
    tipSlot: slot,
    tipAt: now,
    doubtedSince: null,
    accounts: accounts.map((tracked, index) => ({
      ...tracked,
      slot: start,
      balance: balances.get(tracked.account)?.toString() ?? null,
      until: newest[index]?.[0]?.signature ?? null,
    })),
  })
}

/** Half of the average time between slots. */
const SLOT_MS_MIN = 200
const SLACK_SLOTS = 150

/**
 * Returns true if a watch begins so far above a node's slot that the node's chain cannot have reached its
 * start. A payment to an address of a pool would then never be read.
 */
export async function contradictsStart(node: Node, config: ChainConfig, cursor: Json): Promise<boolean> {
  const { startSlot, startedAt } = readCursor(cursor)
  const [, slot] = await ask(node, [health, slotOf('confirmed')])
  const grown = Math.max(0, config.clock() - startedAt) / SLOT_MS_MIN
  return startSlot > slot + grown + SLACK_SLOTS
}
