import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Environment, run } from './child.ts'

const ASK_MS = 10_000

/**
 * Says which package manager or container the executable belongs to, and how to update it there; null if it
 * belongs to none.
 */
async function ownerOf(executable: string, environment: Environment): Promise<string | null> {
  if (executable.includes('/Cellar/')) return 'Homebrew installed it: run brew upgrade florin.'
  const isSeen = ['/.dockerenv', '/run/.containerenv'].some(file => existsSync(file))
  // Containers of other kinds, such as lxc, are whole systems in which the executable can be replaced.
  const isNamed = ['oci', 'podman', 'docker'].includes(environment.container ?? '')
  if (isSeen || isNamed || environment.KUBERNETES_SERVICE_HOST) {
    return 'It runs in a container: start the image of the newer version.'
  }
  const search = await run(['dpkg-query', '--search', executable], environment, ASK_MS).catch(() => null)
  return search?.exitCode === 0
    ? 'A Debian package installed it: install the package of the newer version.'
    : null
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Returns why `florin update` cannot replace this executable; null if it can. */
export async function problemOfPlace(path: string, environment: Environment): Promise<string | null> {
  if (process.platform === 'win32') {
    return 'On Windows, a running program cannot be replaced: stop the server, and replace florin.exe.'
  }
  const executable = realpathSync(path)
  const owner = await ownerOf(executable, environment)
  if (owner !== null) return owner
  const folder = dirname(executable)
  return isWritable(folder)
    ? null
    : `${folder} is not writable: run this as root, such as sudo florin update.`
}
