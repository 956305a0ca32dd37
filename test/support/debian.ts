import { readFileSync, readlinkSync } from 'node:fs'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Turns the root into a machine with its own file systems and control groups, and systemd as PID 1. */
const BOOT = `
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

/** A shell command, and the output that it must have. */
export type Step = readonly [what: string, line: string, prints: RegExp]

const NAMESPACES = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--fork', '--kill-child']

/**
 * A Debian in a folder, as a machine with its own systemd and network. The network survives reboots, so that
 * other programs can play the internet.
 */
export async function openDebian(root: string) {
  const network = Bun.spawn(['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec sleep infinity'])
  const online = ['nsenter', '-t', String(network.pid), '-n']
  const networkOf = (pid: string) => readlinkSync(`/proc/${pid}/ns/net`)
  while (networkOf(String(network.pid)) === networkOf('self')) await Bun.sleep(10)
  let namespaces: Bun.Subprocess | null = null
  let enter: string[] = []

  const shell = (line: string, seconds = 60): Promise<string> =>
    run([...enter, 'env', '-i', `PATH=${PATH}`, 'sh', '-c', line], seconds)

  async function boot(): Promise<void> {
    const child = Bun.spawn([...online, 'unshare', ...NAMESPACES, 'sh', '-c', BOOT, 'sh', root])
    namespaces = child
    const first = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    while (first() === '') await Bun.sleep(50)
    enter = ['nsenter', '-t', first(), '-r', '-w', '-m', '-p', '-C', '-u', '-i', '-n']
    for (let tries = 0; !/running|degraded/.test(await shell('systemctl is-system-running')); tries++) {
      if (tries > 100) throw new Error('systemd did not start')
      await Bun.sleep(300)
    }
  }

  /** Ends every process of the machine at once, like a power failure. Files that were written stay. */
  async function cutPower(): Promise<void> {
    namespaces?.kill('SIGKILL')
    await namespaces?.exited
    namespaces = null
  }

  /** Runs shell commands one after another, and prints the result of each. Returns false if one failed. */
  async function walk(steps: readonly Step[], seconds?: number): Promise<boolean> {
    let isAllRight = true
    for (const [what, line, prints] of steps) {
      const since = performance.now()
      const output = await shell(line, seconds)
      const isRight = prints.test(output)
      const took = `${((performance.now() - since) / 1000).toFixed(1)} s`
      process.stdout.write(isRight ? `ok    ${what} (${took})\n` : `FAIL  ${what} (${took})\n${output}\n`)
      isAllRight &&= isRight
    }
    return isAllRight
  }

  return {
    boot,
    cutPower,
    shell,
    walk,
    /** runs a program of this machine in the network of the Debian */
    spawn: (...command: string[]) =>
      Bun.spawn([...online, ...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' }),
    async close(): Promise<void> {
      await cutPower()
      network.kill('SIGKILL')
    },
  }
}
