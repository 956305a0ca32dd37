import { Database } from 'bun:sqlite'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import type { Environment } from '../../src/updates/child.ts'
import { asLaterVersion } from './later-migrations.ts'

/** The behaviour of a made-up version of Florin at its start. After `migrates` or `writes`, it ends. */
export type Start = 'is ready' | 'crashes' | 'hangs' | 'migrates' | 'writes' | 'crashes later'

export interface Behaviour {
  start?: Start
  /** the version that it reports */
  says?: string
  trial?: 'works' | 'fails'
}

const startLines: Record<Start, string> = {
  'is ready': 'echo $$ > "$STATE/ready"; exec sleep 300',
  crashes: 'exit 1',
  hangs: 'exec sleep 300',
  migrates: 'migrate migrated; exit 1',
  writes: 'migrate written; exit 1',
  'crashes later': 'echo $$ > "$STATE/ready"; sleep 0.05; exit 1',
}

/**
 * A shell script that answers the commands of Florin that an update uses. Unless it is the version that
 * migrates, it refuses a database with the migration of `prepareMigration`, as an older version does.
 */
export function fakeFlorin(
  state: string,
  version: string,
  { start = 'is ready', says, trial }: Behaviour = {},
): string {
  return `#!/bin/sh
STATE='${state}'
echo "${version} $1" >> "$STATE/calls"
migrate() { [ -e "$STATE/done" ] || { touch "$STATE/done"; cp "$STATE/$1/"* "$FLORIN_DATA_DIR/"; }; }
case "$1" in
  version) echo '{"version":"${says ?? version}"}' ;;
  update) ${trial === 'fails' ? 'echo "the trial failed" >&2; exit 1' : `echo '{"migrations":[]}'`} ;;
  migrate)
    if grep -q ${LATER} "$FLORIN_DATA_DIR/florin.sqlite"; then echo "It is of a newer version." >&2; exit 1; fi
    echo '{"migrations":[]}' ;;
  serve) echo "$FLORIN_DATA_DIR" > "$STATE/served"; ${startLines[start]} ;;
esac
`
}

const LATER = '9001_later'

/** Prepares the database as a newer version leaves it: migrated, and migrated with later writes. */
export async function prepareMigration(state: string, dataDir: string): Promise<void> {
  const [migrated, written] = ['migrated', 'written'].map(name => join(state, name))
  for (const folder of [migrated!, written!]) {
    mkdirSync(folder)
    copyFileSync(databaseFile(dataDir), databaseFile(folder))
    await asLaterVersion(
      () => sqliteEngine(folder).migrate(Date.now()),
      [{ name: LATER, sql: "ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT '';" }],
    )
    rmSync(join(folder, 'florin.lock'), { force: true })
  }
  const database = new Database(databaseFile(written!))
  database.run('UPDATE commits SET count = count + 1')
  database.close()
}

/** The process of a made-up server. */
const pidOf = (state: string): number =>
  existsSync(join(state, 'pid')) ? Number(readFileSync(join(state, 'pid'), 'utf8')) : 0

/** Stands in for systemd: runs `serve` of an executable, and records the requests of an update. */
export function fakeSystemd(state: string, executable: string, dataDir: string): Environment {
  const bin = join(state, 'bin')
  mkdirSync(bin)
  const script = `#!/bin/sh
STATE='${state}'
EXE='${executable}'
stop() {
  kill -9 "$(cat "$STATE/pid" 2>/dev/null)" 2>/dev/null
  rm -f "$STATE/pid" "$STATE/ready" "$STATE/wanted"
}
start() {
  touch "$STATE/wanted"
  FLORIN_DATA_DIR='${dataDir}' "$EXE" serve >/dev/null 2>&1 </dev/null &
  echo $! > "$STATE/pid"
}
echo "systemctl $1" >> "$STATE/calls"
case "$1" in
  show)
    pid=$(cat "$STATE/pid" 2>/dev/null || echo 0)
    grep -qs '^State:.[^Z]' "/proc/$pid/status" || pid=0
    echo "MainPID=$pid"
    if [ -e "$STATE/wanted" ]; then echo ActiveState=active; else echo ActiveState=inactive; fi
    echo "ExecStart={ path=$EXE ; argv[]=$EXE serve ; ignore_errors=no }"
    echo "EnvironmentFiles=$STATE/florin.env (ignore_errors=no)"
    echo 'Environment=FLORIN_LOG_LEVEL=warn "FLORIN_SECURITY_CONTACT=mailto:a@shop.example"'
    echo WorkingDirectory= ;;
  restart) stop; start ;;
  start) start ;;
  stop) stop ;;
esac
`
  writeFileSync(join(bin, 'systemctl'), script)
  chmodSync(join(bin, 'systemctl'), 0o755)
  writeFileSync(join(state, 'florin.env'), `FLORIN_DATA_DIR=${dataDir}\n`)
  return { PATH: `${bin}:${process.env.PATH}` }
}

export function endFake(state: string): void {
  const pid = pidOf(state)
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {}
}

/** True if the process that reported itself ready still runs. */
export function isFakeReady(state: string): boolean {
  const file = join(state, 'ready')
  if (!existsSync(file)) return false
  try {
    return /^State:\s[^Z]/m.test(readFileSync(`/proc/${readFileSync(file, 'utf8').trim()}/status`, 'utf8'))
  } catch {
    return false
  }
}
