// Makes a Debian package of an executable: .ci/deb.ts FILE [--arch=amd64] [--version=VERSION] [--fast]
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dir, '..')
const KB = 1024

function option(name: string): string | undefined {
  const start = `--${name}=`
  return process.argv.find(argument => argument.startsWith(start))?.slice(start.length)
}

const [executable = 'dist/florin'] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const version = option('version') ?? manifest.version
const architecture =
  option('arch') ?? { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch

const ofPackage = (name: string): string => readFileSync(join(ROOT, '.github/debian', name), 'utf8')

/** The unit of the repository, without the advice to copy it. A package has its executable in /usr/bin. */
const unit = (): string =>
  readFileSync(join(ROOT, '.github/systemd/florin.service'), 'utf8')
    .replace(/^(#.*\n)+\n/, '')
    .replace('/usr/local/bin/florin', '/usr/bin/florin')

/** Indented, as a field of several lines in a control file. */
const field = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map(line => (line === '' ? ' .' : ` ${line}`))
    .join('\n')

const license = (): string => {
  const text = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  return `${ofPackage('copyright').trimEnd()}\n\nLicense: Expat\n${field(text)}\n`
}

/** Seconds since 1970 of the commit, so that two packages of it are the same bytes. */
function commitTime(): number {
  const { stdout } = Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], { cwd: ROOT, stderr: 'ignore' })
  return Number(stdout.toString().trim()) || 0
}

const at = commitTime()
const changes = `florin (${version}) stable; urgency=medium

  * See https://keepachangelog.com and CHANGELOG.md of the source.

 -- Florin maintainers <florin@users.noreply.github.com>  ${new Date(at * 1000).toUTCString().replace('GMT', '+0000')}
`

/** In lines of at most 80 characters, as a description has to be. */
const wrapped = (text: string): string => text.replace(/(.{1,78})(?: |$)/g, ' $1\n').trimEnd()

const control = (installedKb: number): string => `Package: florin
Version: ${version}
Architecture: ${architecture}
Maintainer: Florin maintainers <florin@users.noreply.github.com>
Installed-Size: ${installedKb}
Depends: adduser, libc6 (>= 2.17)
Recommends: ca-certificates
Section: web
Priority: optional
Description: payments server that a small merchant hosts alone
${wrapped(manifest.description)}
 .
 Florin takes payments by card, bank, digital wallet and cryptocurrency. The
 server listens on 127.0.0.1:3000 after the installation.
`

const home = mkdtempSync(join(tmpdir(), 'florin-deb-'))
const tree = join(home, 'florin')

function put(path: string, content: string | Uint8Array, mode = 0o644): void {
  const file = join(tree, path)
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
  writeFileSync(file, content)
  chmodSync(file, mode)
}

process.umask(0o022)
try {
  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  copyFileSync(executable, join(tree, 'usr/bin/florin'))
  chmodSync(join(tree, 'usr/bin/florin'), 0o755)
  put('lib/systemd/system/florin.service', unit())
  put('etc/florin.env', ofPackage('florin.env'), 0o640)
  put('usr/share/doc/florin/copyright', license())
  put('usr/share/doc/florin/changelog.gz', gzipSync(changes, { level: 9 }))
  put('usr/share/lintian/overrides/florin', ofPackage('lintian-overrides'))
  put('DEBIAN/control', control(Math.ceil(statSync(executable).size / KB)))
  put('DEBIAN/conffiles', '/etc/florin.env\n')
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, ofPackage(script), 0o755)
  const file = `dist/florin_${version}_${architecture}.deb`
  mkdirSync('dist', { recursive: true })
  const compression = process.argv.includes('--fast') ? ['-Zgzip', '-z1'] : ['-Zxz']
  const command = ['dpkg-deb', '--root-owner-group', ...compression, '--build', tree, file]
  const { exitCode, stderr } = Bun.spawnSync(command, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(at) },
  })
  if (exitCode !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
  process.stdout.write(`${file}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
