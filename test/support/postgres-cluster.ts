import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'
import { programOf } from './programs.ts'
import { until } from './until.ts'

const START_MS = 20_000
const USER = 'florin'
/** In memory, because a new database writes a thousand files. */
const MEMORY = '/dev/shm'
/**
 * Runs the server as a grandchild, because the test runner ends its children but not their children. Starts the server whenever there is a file `run`. Ends it and removes its folder once the process
 * of the tests is gone.
 */
const GUARD = `
  owner=$1; folder=$2; shift 2
  (
    while kill -0 "$owner" && [ ! -e "$folder/stop" ]; do
      if [ -e "$folder/run" ]; then rm "$folder/run"; "$@" & child=$!; fi
      sleep 0.2
    done
    kill -QUIT $child; wait $child; rm -rf "$folder"
  ) < /dev/null > "$folder/log" 2>&1 &`

/** A PostgreSQL server: its processes and files. */
export interface Cluster {
  port: number
  url(database: string): string
  /** the file of its certificate, if it was started with TLS */
  certificate: string
  /** Ends all its processes at once, as if the machine was switched off. */
  kill(): Promise<void>
  /** Starts it again after `kill`. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): void
}

interface ClusterOptions {
  tls?: boolean
  settings?: string[]
  /** the server that this one follows, under the name `standby` */
  standbyOf?: Cluster
}

/** The folder of psql, initdb and the other programs. */
export const programsOfPostgres = (): string => dirname(realpathSync(programOf('postgres')))

/** The arguments that run a program as another user, because PostgreSQL refuses to run as root. */
function ownerOf(folder: string): string[] {
  if (process.getuid?.() !== 0) return []
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString())
  const [user, group] = [id('-u'), id('-g')]
  chownSync(folder, user, group)
  return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups']
}

function runProgram(as: string[], name: string, args: string[]): void {
  const command = [...as, name === 'openssl' ? name : join(programsOfPostgres(), name), ...args]
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: '/', stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${name} failed: ${stderr.toString()}`)
}

/** A self-signed certificate for localhost, and its key. */
function makeCertificate(folder: string, as: string[]): string[] {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  runProgram(as, 'openssl', ['req', '-x509', '-days', '2', ...key, ...name, ...files])
  return ['ssl = on', `ssl_cert_file = '${folder}/certificate.pem'`, `ssl_key_file = '${folder}/key.pem'`]
}

/** Creates the server's files. Returns the settings that refer to them. */
function makeFiles(data: string, as: string[], standbyOf: Cluster | undefined): string[] {
  if (!standbyOf) {
    runProgram(as, 'initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'])
    return []
  }
  const from = `host=127.0.0.1 port=${standbyOf.port} user=${USER}`
  runProgram(as, 'pg_basebackup', ['-D', data, '-d', from, '-c', 'fast', '-X', 'stream', '-N'])
  writeFileSync(join(data, 'standby.signal'), '')
  return [`primary_conninfo = '${from} application_name=standby'`]
}

const isAnswering = (folder: string, port: number): boolean =>
  Bun.spawnSync([join(programsOfPostgres(), 'pg_isready'), '-q', '-h', folder, '-p', `${port}`]).exitCode ===
  0

/** A process and its descendants, which have their own sessions. */
function familyOf(pid: number): number[] {
  const parentOf = (child: string): string => {
    try {
      return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? ''
    } catch {
      return ''
    }
  }
  const all = existsSync('/proc/self/status') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  return [pid, ...all.filter(child => parentOf(child) === `${pid}`).map(Number)]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended in the meantime.
  }
}

/** Starts a server. Its files are removed when it ends. */
export async function startCluster({
  tls = false,
  settings = [],
  standbyOf,
}: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'florin-postgres-'))
  chmodSync(folder, 0o700)
  const as = ownerOf(folder)
  const data = join(folder, 'data')
  const port = freePort()
  const ofFiles = makeFiles(data, as, standbyOf)
  const lines = [
    `port = ${port}`,
    `unix_socket_directories = '${folder}'`,
    "listen_addresses = '127.0.0.1'",
    'max_connections = 300',
    'shared_buffers = 64MB',
    // No test switches off the machine, and data in the system's cache survives a killed process.
    'fsync = off',
    'full_page_writes = off',
    'autovacuum = off',
    ...ofFiles,
    ...settings,
    ...(tls ? makeCertificate(folder, as) : []),
    '',
  ]
  writeFileSync(join(data, 'postgresql.auto.conf'), lines.join('\n'))
  const command = [...as, join(programsOfPostgres(), 'postgres'), '-D', data]
  const start = async () => {
    writeFileSync(join(folder, 'run'), '')
    await until(() => isAnswering(folder, port), 'starting PostgreSQL', START_MS)
  }
  const guarded = ['setsid', 'sh', '-c', GUARD, 'sh', String(process.pid), folder, ...command]
  Bun.spawnSync(guarded, { cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  await start()
  return {
    port,
    url: database => `postgres://${USER}@127.0.0.1:${port}/${database}`,
    certificate: join(folder, 'certificate.pem'),
    async kill() {
      const family = familyOf(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]))
      for (const pid of family) killProcess(pid)
      await until(() => !family.some(isRunning), 'killing PostgreSQL', START_MS)
    },
    start,
    stop: () => writeFileSync(join(folder, 'stop'), ''),
  }
}
