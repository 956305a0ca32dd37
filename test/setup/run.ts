// Runs florin setup on a Debian with a systemd of its own, in namespaces of this machine; see README.md.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const EXECUTABLE = process.env.FLORIN_EXECUTABLE ?? 'dist/florin'
const INSIDE = '/opt/setup/florin'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Makes the root a machine: its file systems, its groups of processes, and systemd as its first process. */
const BOOT = `
ip link set lo up
mount --make-rprivate / && mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys 2>/dev/null || mount --rbind /sys sys
mount -t tmpfs tmpfs run
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then mount -t cgroup2 cgroup sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd && mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  for one in memory pids; do mkdir sys/fs/cgroup/$one; mount -t cgroup -o $one cgroup sys/fs/cgroup/$one; done
fi
mount -t tmpfs -o mode=755 tmpfs dev
for one in null zero full random urandom tty; do touch dev/$one; mount --bind /dev/$one dev/$one; done
mkdir -p dev/pts dev/shm .old
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts; ln -s pts/ptmx dev/ptmx; ln -s /proc/self/fd dev/fd
pivot_root . .old && umount -l /.old
container=chroot exec /lib/systemd/systemd >/dev/null 2>&1 </dev/null`

async function run(command: string[], seconds = 60): Promise<string> {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const texts = [child.stdout, child.stderr].map(stream => new Response(stream).text())
  const [stdout, stderr] = await Promise.all(texts)
  clearTimeout(timer)
  return `${stdout}${stderr}exit ${await child.exited}`
}

/** Starts the machine. Returns what runs a line of shell there, and what ends it. */
async function boot(root: string) {
  const namespaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--net', '--fork', '--kill-child']
  const child = Bun.spawn(['unshare', ...namespaces, 'sh', '-c', BOOT, 'sh', root])
  const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  while (first() === '') await Bun.sleep(50)
  const enter = ['nsenter', '-t', first(), '-r', '-w', '-m', '-p', '-C', '-u', '-i', '-n']
  const shell = (line: string) => run([...enter, 'env', '-i', `PATH=${PATH}`, 'sh', '-c', line])
  for (let tries = 0; !/running|degraded/.test(await shell('systemctl is-system-running')); tries++) {
    if (tries > 100) throw new Error('systemd did not start')
    await Bun.sleep(300)
  }
  return { shell, end: () => child.kill('SIGKILL') }
}

const setup = `${INSIDE} setup --yes`
const killed = [0.1, 0.3, 0.5, 0.8, 1.2].map(
  seconds =>
    `timeout -s KILL ${seconds} ${setup}; ${setup} && systemctl is-active florin && ${setup} --remove`,
)

/** Lines of shell, one after another, and what each prints. */
const steps: readonly (readonly [what: string, line: string, prints: RegExp])[] = [
  ['nobody but root may set up', `runuser -u nobody -- ${setup}`, /Run: sudo .*\nexit 1/],
  [
    'with a domain, the server starts',
    `${setup} --domain pay.shop.example`,
    /dashboard\/link\/[\s\S]*exit 0/,
  ],
  [
    'port 80 answers as the user florin',
    'ps -o user= -C florin; curl -s 127.0.0.1',
    /^florin\n[\s\S]+exit 0/,
  ],
  ['again, nothing changes', setup, /^Everything is as it should be[\s\S]*exit 0/],
  ['a backup is made', 'systemctl start florin-backup; ls /var/backups/florin', /^florin-.*sqlite\nexit 0/],
  ['the timer waits', 'systemctl is-active florin-backup.timer', /^active/],
  ['the units are confined', 'systemd-analyze security --threshold=13 florin florin-backup', /exit 0$/],
  [
    'a unit of others is kept',
    `echo >> /etc/systemd/system/florin.service; ${setup}`,
    /by hand[\s\S]*exit 1/,
  ],
  [
    'it goes',
    `${setup} --remove; id florin 2>&1; ls /etc/systemd/system`,
    /is left[\s\S]*no such user[\s\S]*florin.service/,
  ],
  [
    'the data stay',
    'rm /etc/systemd/system/florin.service; ls -n /var/lib/florin',
    / 0 +0 .* florin[.]sqlite\n/,
  ],
  ['without a domain, it starts again', `${setup} --domain ''`, /http:\/\/127.0.0.1:3000\/dashboard\/link/],
  ['it goes again', `${setup} --remove`, /Removed the user florin[\s\S]*exit 0/],
  ...killed.map(
    line => ['killed in the middle, it is completed and goes', line, /active[\s\S]*exit 0$/] as const,
  ),
]

const [given] = process.argv.slice(2)
if (given === undefined)
  throw new Error('Name the root of a Debian that may be thrown away: see test/setup/README.md')
const root = resolve(given)
mkdirSync(join(root, 'opt/setup'), { recursive: true })
copyFileSync(EXECUTABLE, join(root, INSIDE))
const { shell, end } = await boot(root)
let failures = 0
try {
  for (const [what, line, prints] of steps) {
    const output = await shell(line)
    const isRight = prints.test(output)
    if (!isRight) failures++
    process.stdout.write(isRight ? `ok    ${what}\n` : `FAIL  ${what}\n${output}\n`)
  }
} finally {
  end()
}
process.exit(failures === 0 ? 0 : 1)
