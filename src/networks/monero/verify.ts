import { Behind } from '../port.ts'
import { WrongChain } from '../rpc/failover.ts'
import type { Daemon, DaemonStatus } from './daemon.ts'

const MAINNET = 'mainnet'
/** The network of a private chain, whose genesis is that of the mainnet. */
const PRIVATE = 'fakechain'
const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'
const NAME_MAX = 20
/** The first blocks of public test chains. */
const testGeneses = [
  '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b',
  '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb',
]

export const isMainnet = ({ network }: DaemonStatus): boolean => network === MAINNET

/**
 * Accepts the mainnet anywhere, and a private chain on this machine only. Throws WrongChain for a daemon of
 * another chain, NetworkError for a daemon that does not report its chain.
 */
export async function verifyChain(daemon: Daemon): Promise<void> {
  const status = await syncedStatus(daemon)
  const [genesis] = await daemon.headers(0, 0)
  const isPrivate = status.network === PRIVATE && !testGeneses.includes(genesis?.hash ?? '')
  if (isPrivate && daemon.isLocal) return
  if (isMainnet(status) && genesis?.hash === GENESIS) return
  const served = `serves "${status.network.slice(0, NAME_MAX)}"`
  const where = isPrivate ? ', which is accepted on this machine only' : ''
  throw new WrongChain(`${served}${where}: configure an endpoint of Monero's mainnet`)
}

/**
 * Reads the status. Throws NetworkError for a daemon that is synchronising. A private daemon is accepted all
 * the same, since it may have no peers.
 */
export async function syncedStatus(daemon: Daemon): Promise<DaemonStatus> {
  const status = await daemon.status()
  if (status.isSynchronised || status.network === PRIVATE) return status
  throw new Behind(`is still synchronising, at block ${status.height}`)
}
