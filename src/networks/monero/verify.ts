import { NetworkError } from '../port.ts'
import { WrongChain } from '../rpc/failover.ts'
import type { Daemon, Standing } from './daemon.ts'

const MAIN = 'mainnet'
/** A chain that somebody runs for himself; it begins as the main one does. */
const PRIVATE = 'fakechain'
const GENESIS = '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3'
const NAME_MAX = 20
/** Of the public chains whose money is worth nothing. */
const otherGeneses = [
  '48ca7cd3c8de5b6a4d53d2861fbdaedca141553559f9be9520068053cda8430b',
  '76ee3cc98646292206cd3e86f74d88b4dcc1d937088645e9b0cbca84b7ce74eb',
]

export const isMain = ({ network }: Standing): boolean => network === MAIN

/** Throws WrongChain for a daemon of another chain, NetworkFault for one that does not tell. */
export async function prove(daemon: Daemon): Promise<void> {
  const standing = await currentStanding(daemon)
  const [genesis] = await daemon.headers(0, 0)
  const isPrivate = standing.network === PRIVATE && !otherGeneses.includes(genesis!.hash)
  if (isPrivate && daemon.isLocal) return
  if (isMain(standing) && genesis!.hash === GENESIS) return
  const where = isPrivate ? ', which is believed on this machine only' : ''
  const told = `serves "${standing.network.slice(0, NAME_MAX)}"${where}`
  throw new WrongChain(`${told}: name an endpoint of Monero's main chain`)
}

/** Throws NetworkFault for a daemon that does not know its chain yet; a private one may have no peers. */
export async function currentStanding(daemon: Daemon): Promise<Standing> {
  const standing = await daemon.standing()
  if (standing.isSynchronised || standing.network === PRIVATE) return standing
  throw new NetworkError(`is still synchronising, at block ${standing.height}`)
}
