// Updates the built executable to a second build with a newer version, and back. See README.md.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSigningKey, openReleaseServer } from '../support/release-server.ts'

const ROOT = join(import.meta.dir, '../..')
const NEXT = '99.0.0'
const home = mkdtempSync(join(tmpdir(), 'florin-update-'))

function check(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new Error(`the update: ${sentence}`)
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore' })
  check(exitCode === 0, `${command.join(' ')} failed: ${stderr}`)
}

/** Builds the same commit as a newer version. */
function buildNext(): Buffer<ArrayBuffer> {
  const clone = join(home, 'next')
  run(['git', 'clone', '--quiet', ROOT, clone], home)
  cpSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  const manifest = readFileSync(join(clone, 'package.json'), 'utf8')
  writeFileSync(join(clone, 'package.json'), manifest.replace(/"version": "[^"]*"/, `"version": "${NEXT}"`))
  run([process.execPath, '.ci/texts.ts'], clone)
  run([process.execPath, '.ci/build.ts'], clone)
  return readFileSync(join(clone, 'dist/florin'))
}

/** Stands in for systemd, and runs the executable like its unit. */
const systemctl = `#!/bin/sh
S=/opt/florin
stop() { kill "$(cat $S/pid 2>/dev/null)" 2>/dev/null; sleep 1; rm -f $S/pid $S/wanted; }
start() { touch $S/wanted; FLORIN_ENV_FILE=$S/env $S/florin serve >/dev/null 2>&1 </dev/null & echo $! > $S/pid; }
case "$1" in
  show)
    pid=$(cat $S/pid 2>/dev/null || echo 0)
    grep -qs '^State:.[^Z]' /proc/$pid/status || pid=0
    echo MainPID=$pid
    if [ -e $S/wanted ]; then echo ActiveState=active; else echo ActiveState=inactive; fi
    echo "ExecStart={ path=$S/florin ; argv[]=$S/florin serve }"
    echo "EnvironmentFiles=$S/env (ignore_errors=no)" ;;
  restart) stop; start ;;
  start) start ;;
  stop) stop ;;
esac
`

const story = (port: number) => `
# A container is updated by its image.
rm -f /.dockerenv /run/.containerenv
mkdir -p /opt/florin/data /opt/florin/bin
cp '${ROOT}/dist/florin' /opt/florin/florin
cp '${home}/env' /opt/florin/env
cp '${home}/systemctl' /opt/florin/bin/
chmod 755 /opt/florin/bin/systemctl
export PATH=/opt/florin/bin:$PATH
cd /opt/florin
FLORIN_ENV_FILE=env ./florin merchant create --email shop@shop.example --name Shop
./florin update --check; echo "check exits with $?"
systemctl start; sleep 3
./florin update 2>&1; echo "update exits with $?"; ./florin version
wget -qO- http://127.0.0.1:${port}/readyz; echo
./florin update --rollback 2>&1; echo "rollback exits with $?"; ./florin version
FLORIN_ENV_FILE=env ./florin merchant list
systemctl stop`

const asCopy = `set -e
mkdir "$1/copy"
mount -t tmpfs none "$1/copy"
mkdir "$1/copy/upper" "$1/copy/work" "$1/copy/root"
mount -t overlay none -o lowerdir=/,upperdir="$1/copy/upper",workdir="$1/copy/work" "$1/copy/root"
mount -t proc none "$1/copy/root/proc"
mount --rbind /dev "$1/copy/root/dev"
chroot "$1/copy/root" sh -c "$2"`

const server = openReleaseServer()
try {
  check(process.getuid?.() === 0, 'root is needed to try it on a copy of the files of this system')
  const key = newSigningKey()
  server.publish(key, NEXT, buildNext(), { target: `linux-${process.arch}`, security: true })
  const free = Bun.serve({ port: 0, fetch: () => new Response() })
  const port = free.port ?? 0
  free.stop(true)
  writeFileSync(join(home, 'key'), key.line)
  writeFileSync(join(home, 'systemctl'), systemctl)
  const settings = [
    'FLORIN_DATA_DIR=/opt/florin/data',
    `FLORIN_PORT=${port}`,
    `FLORIN_RELEASES_URL=${server.url}`,
    `FLORIN_RELEASES_KEY_FILE=${join(home, 'key')}`,
  ]
  writeFileSync(join(home, 'env'), `${settings.join('\n')}\n`)
  const child = Bun.spawn(['unshare', '--mount', 'sh', '-c', asCopy, 'sh', home, story(port)], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained] = await Promise.all(
    [child.stdout, child.stderr].map(stream => new Response(stream).text()),
  )
  const lines = [
    /repairs a security problem/,
    /check exits with 3/,
    new RegExp(`Updated Florin from \\S+ to ${NEXT}. The server runs it and is ready`),
    /update exits with 0/,
    new RegExp(`^florin ${NEXT}`, 'm'),
    /"status":"ready"/,
    /The database was kept as it is. The server runs it and is ready/,
    /rollback exits with 0/,
    /shop@shop[.]example/,
  ]
  for (const line of lines) check(line.test(said ?? ''), `${line} is missing:\n${said}${complained}`)
  process.stdout.write('The executable was updated to the next version, and went back.\n')
} finally {
  server.close()
  rmSync(home, { recursive: true, force: true })
}
