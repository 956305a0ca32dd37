import { resolve4, resolve6 } from 'node:dns/promises'
import { existsSync, readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { ownExecutable } from '../../boot/own-commands.ts'

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** The host on which setup works, or the folder that will become one. */
export interface Host {
  /** the folder below which everything is written; empty for the machine itself */
  readonly root: string
  /** false for a folder: nothing is started there, and no user is made */
  readonly isLive: boolean
  readonly isRoot: boolean
  /** Florin's executable; null if this process runs the source */
  readonly executable: string | null
  run(...command: string[]): Promise<Ran>
  freeBytes(path: string): number
  /** the program that listens on a port; null if none does */
  holderOf(port: number): string | null
  /** number of addresses that a name has in the DNS, and those that are not of this machine */
  lookUp(name: string): Promise<{ count: number; elsewhere: string[] }>
}

/** Runs a program without the settings of this shell, in a folder that every user can read. */
async function run(path: string, command: string[]): Promise<Ran> {
  const found = Bun.which(command[0] ?? '', { PATH: path })
  if (found === null) return { exitCode: 127, stdout: '', stderr: `${command[0]} was not found` }
  const child = Bun.spawn([found, ...command.slice(1)], {
    cwd: '/',
    env: { PATH: path, LANG: 'C.UTF-8' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { exitCode: await child.exited, stdout, stderr }
}

const LISTENS = '0A'

/** The inodes of the sockets that listen on a TCP port, from the kernel's tables. */
function listenersOn(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1) : [],
  )
  return new Set(
    rows.flatMap(row => {
      const [, local, , state, , , , , , inode] = row.trim().split(/\s+/)
      return state === LISTENS && local?.endsWith(`:${hex}`) ? [inode ?? ''] : []
    }),
  )
}

/** True if a process has one of the sockets open; false if it has ended, or belongs to another user. */
function holds(pid: string, sockets: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(file => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`)) ?? []
      return inode !== undefined && sockets.has(inode)
    })
  } catch {
    return false
  }
}

function holderOf(port: number): string | null {
  const sockets = listenersOn(port)
  if (sockets.size === 0) return null
  const pid = readdirSync('/proc').find(name => /^\d+$/.test(name) && holds(name, sockets))
  if (pid === undefined) return 'another program'
  return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
}

/** Time limit of a look-up: a DNS that does not answer must not hold up the setup. */
const LOOK_UP_MS = 5000

async function lookUp(name: string): Promise<{ count: number; elsewhere: string[] }> {
  const own = new Set(Object.values(networkInterfaces()).flatMap(list => list?.map(one => one.address) ?? []))
  const none = () => []
  const late = Bun.sleep(LOOK_UP_MS).then(none)
  const found = await Promise.all(
    [resolve4(name), resolve6(name)].map(query => Promise.race([query.catch(none), late])),
  )
  const addresses = found.flat()
  return { count: addresses.length, elsewhere: addresses.filter(address => !own.has(address)) }
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** This machine; or with `root`, a folder to which setup only writes. */
export const hostOf = (root: string | null, path: string = SYSTEM_PATH): Host => ({
  root: root ?? '',
  isLive: root === null,
  isRoot: process.getuid?.() === 0,
  executable: ownExecutable(),
  run: (...command) => run(path, command),
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
  holderOf,
  lookUp,
})
