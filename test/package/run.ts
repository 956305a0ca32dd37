// Installs, upgrades, removes and purges the Debian package, on a temporary copy of this system's files. See
// README.md.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dir, '../..')
const NEXT = `${manifest.version}+next`
const home = mkdtempSync(join(tmpdir(), 'florin-package-'))

function check(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new Error(`the package: ${sentence}`)
}

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT, stdin: 'ignore' })
  check(exitCode === 0, `${command.join(' ')} failed: ${stdout}${stderr}`)
  return `${stdout}${stderr}`
}

/** Mounts a copy over the files of this system: writes go to \`upper\`, which ends with the process. */
const asCopy = `set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay none -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" "$1/root"
mount -t proc none "$1/root/proc"
mount --rbind /dev "$1/root/dev"
cp "$2" "$1/root/first.deb"
cp "$3" "$1/root/next.deb"
chroot "$1/root" sh -c "$4"
rm "$1/root/first.deb" "$1/root/next.deb"
cd "$1/upper"
echo "== left"
find . -type f -o -type l -o -type c | sort`

const florin = 'setpriv --reuid=florin --regid=florin --clear-groups florin'

/** The steps of a person, with a marker line before each part of the output. */
const story = `set -e
export DEBIAN_FRONTEND=noninteractive FLORIN_ENV_FILE=/etc/florin.env PATH=/usr/sbin:/usr/bin:/sbin:/bin
echo "== install"; dpkg -i /first.deb
stat -c '%n %a %U %G' /var/lib/florin /etc/florin.env /usr/bin/florin
systemctl is-enabled florin
florin version
${florin} merchant create --email shop@shop.example --name Shop --json
echo FLORIN_LOG_LEVEL=warn >> /etc/florin.env
echo "== upgrade"; dpkg -i /next.deb
cat /etc/florin.env
${florin} merchant list
florin update 2>&1 || true
echo "== remove"; dpkg -r florin
ls /etc/florin.env /var/lib/florin/florin.sqlite
echo "== purge"; dpkg -P florin
ls /var/lib/florin/florin.sqlite`

/**
 * The files that may change: those of the system that change with every package, and the data, which must
 * stay.
 */
const expected = [
  /^\.\/var\/lib\/florin\//,
  /^\.\/var\/lib\/dpkg\//,
  /^\.\/var\/log\/dpkg\.log$/,
  /^\.\/var\/cache\/(debconf|man)\//,
  /^\.\/etc\/(passwd|group|shadow|gshadow|subuid|subgid)-?$/,
  /^\.\/etc\/\.pwd\.lock$/,
  /^\.\/run\/adduser$/,
]

function makePackage(version: string): string {
  return resolve(
    ROOT,
    run([process.execPath, '.ci/deb.ts', 'dist/florin', `--version=${version}`, '--fast']).trim(),
  )
}

try {
  check(process.getuid?.() === 0 && existsSync('/usr/bin/dpkg'), 'root and dpkg are needed to try it')
  const [first, next] = [manifest.version, NEXT].map(makePackage) as [string, string]
  const said = run(['unshare', '--mount', 'sh', '-c', asCopy, 'sh', home, first, next, story])
  const parts = new Map(said.split(/^== /m).map(part => [/^\w*/.exec(part)?.[0] ?? '', part]))
  const saysAt = (part: string, words: RegExp) =>
    check(words.test(parts.get(part) ?? ''), `${part} lacks ${words}:\n${said}`)
  saysAt('install', /^\/var\/lib\/florin 700 florin florin$/m)
  saysAt('install', /^\/etc\/florin[.]env 640 root florin$/m)
  saysAt('install', /^enabled$/m)
  saysAt('install', /^florin \d/m)
  saysAt('install', /"merchantId"/)
  saysAt('upgrade', /FLORIN_LOG_LEVEL=warn/)
  saysAt('upgrade', /shop@shop[.]example/)
  saysAt('upgrade', /cannot be updated/)
  saysAt('remove', /florin[.]sqlite/)
  saysAt('purge', /The data of Florin are kept in \/var\/lib\/florin/)
  const files = (parts.get('left') ?? '').split('\n').filter(line => line.startsWith('./'))
  const left = files.filter(file => !expected.some(pattern => pattern.test(file)))
  check(left.length === 0, `purge leaves ${left.join(', ')}`)
  process.stdout.write('The package was installed, upgraded, removed and purged.\n')
  const lintian = Bun.which('lintian')
  check(lintian, 'lintian was not found: apt-get install lintian')
  process.stdout.write(run([lintian, '--allow-root', '--fail-on=error', first]))
  process.stdout.write('lintian finds no error.\n')
} finally {
  rmSync(home, { recursive: true, force: true })
  for (const name of readdirSync(join(ROOT, 'dist'))) {
    if (name.includes(NEXT)) rmSync(join(ROOT, 'dist', name))
  }
}
