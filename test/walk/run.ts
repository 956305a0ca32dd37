// The whole way of a merchant on a bare Debian: from one command to a payment, and through updates that
// succeed, fail, or are interrupted by a power failure. See README.md.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openDebian, type Step } from '../support/debian.ts'
import { buildVersions } from './builds.ts'

const ROOT = join(import.meta.dir, '../..')
const EXECUTABLE = process.env.FLORIN_EXECUTABLE ?? 'dist/florin'
const HOST = 'pay.shop.example'
const WORKS = '99.0.0'
const BREAKS = '99.0.1'
/** A version that does not become ready gets 90 seconds. */
const STEP_SECONDS = 300

const [given] = process.argv.slice(2)
if (given === undefined)
  throw new Error('Name the root of a Debian that may be thrown away: see test/walk/README.md')
const root = resolve(given)
const home = mkdtempSync(join(tmpdir(), 'florin-walk-'))
const inside = (name: string): string => join(root, 'opt/walk', name)

const curl = '--cacert /opt/walk/ca.pem'
const page = `curl -sS ${curl} -o /dev/null -w 'page %{http_code} verify=%{ssl_verify_result}\\n' https://${HOST}/dashboard/sign-in`
const untilPage = `for i in $(seq 100); do ${page} 2>/dev/null | grep 'page 200' && break; sleep 0.2; done`
const sell = (florin: string): string =>
  `URL=https://${HOST} KEY=/var/lib/florin.key CURL='${curl}' ` +
  `FLORIN='runuser -u florin -- env FLORIN_ENV_FILE=/etc/florin.env ${florin}' sh /opt/walk/sell.sh`
const SOLD = /^order \S+ PAID$/m
const LOCAL = '/usr/local/bin/florin'
const PACKAGED = '/usr/bin/florin'

const clean = [
  'dpkg -P florin',
  `[ -e /etc/florin.setup.json ] && /opt/walk/florin setup --remove`,
  'rm -rf /var/lib/florin /var/lib/florin.key /var/backups/florin /usr/local/bin/florin* /opt/walk/state',
  'userdel florin; cp /opt/walk/florin.env /etc/florin.env; chmod 600 /etc/florin.env',
].join('; ')

const setUp = (florin: string): Step[] => [
  [
    'one command sets up the server',
    `${florin} setup --yes --domain ${HOST} --email me@shop.example`,
    /dashboard\/link\/[\s\S]*exit 0$/,
  ],
  ['a page has a valid certificate', untilPage, /page 200 verify=0/],
  ['a payment is taken', sell(florin === PACKAGED ? PACKAGED : LOCAL), SOLD],
]

const keep =
  'systemctl stop florin; rm -rf /opt/walk/state; mkdir /opt/walk/state; ' +
  'cp -a /var/lib/florin /opt/walk/state/data; cp -a /usr/local/bin/florin /opt/walk/state/; systemctl start florin'

const putBack = [
  'systemctl stop florin; rm -rf /var/lib/florin /usr/local/bin/florin*',
  'cp -a /opt/walk/state/data /var/lib/florin; cp -a /opt/walk/state/florin /usr/local/bin/florin',
  `systemctl start florin; ${LOCAL} version; ${untilPage}`,
].join('; ')

const updated: Step[] = [
  [
    'florin update --check finds the version',
    `${LOCAL} update --check; echo "check $?"`,
    /99[.]0[.]0[\s\S]*check 3/,
  ],
  [
    'florin update installs it, with a new migration',
    `${LOCAL} update`,
    /Updated Florin from 0\S* to 99[.]0[.]0[.] The server runs it and is ready[\s\S]*exit 0$/,
  ],
  ['a payment is taken after it', sell(LOCAL), SOLD],
  [
    'the version before it would lose a payment, so it is not put back',
    `${LOCAL} update --rollback; ${LOCAL} version; ${untilPage}`,
    /florin 99[.]0[.]0[\s\S]*page 200[\s\S]*would be lost/,
  ],
]

const broken: Step[] = [
  [
    'a version that cannot start goes back by itself',
    `${LOCAL} update 2>&1; echo "status $?"`,
    /99[.]0[.]1 was not ready within[\s\S]*99[.]0[.]0 is installed again and ready[\s\S]*status 1/,
  ],
  [
    'its migration is undone, and a payment is taken',
    `${LOCAL} version; ${sell(LOCAL)}`,
    /florin 99[.]0[.]0[\s\S]*order \S+ PAID/,
  ],
]

/** Lines of the update after which the power fails, and the delay in milliseconds. */
const cuts = [
  ['Downloading', 0],
  ['Backed up', 0],
  ['Trying', 500],
  ['Installing', 0],
  ['Restarting', 0],
  ['Restarting', 300],
  ['Restarting', 1500],
] as const

const debian = await openDebian(root)
let isAllRight = true
async function walk(steps: readonly Step[]): Promise<void> {
  isAllRight = (await debian.walk(steps, STEP_SECONDS)) && isAllRight
}

/** Starts a command, and cuts the power after a line of its output. Then starts the machine again. */
async function cutAfter(command: string, word: string, laterMs: number): Promise<void> {
  const output = inside('output')
  rmSync(output, { force: true })
  const running = debian.shell(`${command} > /opt/walk/output 2>&1`, STEP_SECONDS)
  const isReached = () => existsSync(output) && readFileSync(output, 'utf8').includes(word)
  for (let tries = 0; !isReached() && tries < 5000; tries++) await Bun.sleep(10)
  await Bun.sleep(laterMs)
  await debian.cutPower()
  await running
  await debian.boot()
}

async function cutUpdates(): Promise<void> {
  await walk([['what there is now is kept for the next steps', keep, /exit 0$/]])
  for (const [word, laterMs] of cuts) {
    await cutAfter(`${LOCAL} update`, word, laterMs)
    const when = `the power fails ${laterMs} ms after "${word}"`
    await walk([
      [`${when}: the server starts`, `${untilPage}; systemctl is-active florin`, /page 200 verify=0\nactive/],
      [
        'the next update completes it',
        `${LOCAL} update; ${LOCAL} version`,
        /(Updated Florin|is the newest)[\s\S]*florin 99[.]0[.]0/,
      ],
      ['the shop is there, and a payment is taken', sell(LOCAL), SOLD],
      ['the state before is put back', putBack, /florin 0[\s\S]*page 200/],
    ])
  }
}

async function walkPackage(): Promise<void> {
  const cutDpkg = [0.3, 1, 2, 4]
  await walk([
    ['the server by the executable goes', clean, /exit 0$/],
    [
      'the package is installed',
      'rm /etc/florin.env; dpkg -i /opt/walk/first.deb; systemctl is-active florin',
      /\nactive/,
    ],
    [
      'its settings are changed to those of the sandbox',
      // A database of real payments cannot be used in the sandbox, so it is removed.
      'systemctl stop florin; rm -rf /var/lib/florin/*; cat /opt/walk/florin.env >> /etc/florin.env',
      /exit 0$/,
    ],
    ...setUp(PACKAGED),
  ])
  for (const seconds of cutDpkg) {
    const running = debian.shell('dpkg -i --force-confold /opt/walk/next.deb', STEP_SECONDS)
    await Bun.sleep(seconds * 1000)
    await debian.cutPower()
    await running
    await debian.boot()
    await walk([
      [
        `the power fails ${seconds} s after dpkg -i: dpkg -i completes it`,
        `dpkg -i --force-confold /opt/walk/next.deb && ${untilPage}; ${PACKAGED} version`,
        /page 200 verify=0[\s\S]*florin 99[.]0[.]0/,
      ],
      ['a payment is taken', sell(PACKAGED), SOLD],
    ])
  }
  await walk([
    [
      'a package that cannot start is installed',
      'dpkg -i --force-confold /opt/walk/broken.deb; sleep 3; curl -s 127.0.0.1:3000/readyz || echo not ready',
      /not ready/,
    ],
    [
      'the one before it, with the copy of before the migration, is the way back',
      'systemctl stop florin; dpkg -i --force-confold /opt/walk/next.deb; systemctl stop florin; ' +
        `runuser -u florin -- ${PACKAGED} restore "$(ls -t /var/lib/florin/florin.sqlite.before-* | head -1)" --force --env-file /etc/florin.env; systemctl start florin; ${untilPage}`,
      /page 200 verify=0/,
    ],
    ['a payment is taken', sell(PACKAGED), SOLD],
    [
      'it is purged, and its data are removed',
      `dpkg -P florin; ls ${PACKAGED} 2>&1; ${clean}`,
      /No such file/,
    ],
  ])
}

function makePackage(executable: string, version: string, name: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, '.ci/deb.ts', executable, `--version=${version}`, '--fast'],
    { cwd: ROOT },
  )
  if (exitCode !== 0) throw new Error(`${stderr}`)
  renameSync(join(ROOT, stdout.toString().trim()), inside(name))
}

async function prepare(): Promise<void> {
  mkdirSync(inside('.'), { recursive: true })
  mkdirSync(join(home, 'published'))
  buildVersions(home)
  copyFileSync(EXECUTABLE, inside('florin'))
  copyFileSync(join(ROOT, 'test/support/sell.sh'), inside('sell.sh'))
  makePackage(EXECUTABLE, '0.1.0+walk', 'first.deb')
  makePackage(join(home, 'built', WORKS), WORKS, 'next.deb')
  makePackage(join(home, 'built', BREAKS), BREAKS, 'broken.deb')
  const internet = debian.spawn(
    process.execPath,
    join(import.meta.dir, 'internet.ts'),
    join(home, 'published'),
  )
  const { value } = await internet.stdout.getReader().read()
  const { acmeUrl, caPem, releasesUrl, key } = JSON.parse(new TextDecoder().decode(value))
  writeFileSync(inside('ca.pem'), caPem)
  writeFileSync(inside('key'), key)
  writeFileSync(
    inside('florin.env'),
    [
      'FLORIN_SANDBOX=public',
      `FLORIN_ACME_URL=${acmeUrl}`,
      'FLORIN_ACME_CA_FILE=/opt/walk/ca.pem',
      `FLORIN_RELEASES_URL=${releasesUrl}`,
      'FLORIN_RELEASES_KEY_FILE=/opt/walk/key',
      '',
    ].join('\n'),
  )
  const hosts = readFileSync(join(root, 'etc/hosts'), 'utf8')
  if (!hosts.includes(HOST)) writeFileSync(join(root, 'etc/hosts'), `${hosts}\n127.0.0.1 ${HOST}\n`)
}

const publish = (version: string): void =>
  renameSync(join(home, 'built', version), join(home, 'published', version))

try {
  await prepare()
  await debian.boot()
  await walk([['nothing of Florin is there', clean, /exit 0$/], ...setUp('/opt/walk/florin')])
  publish(WORKS)
  await cutUpdates()
  await walk(updated)
  publish(BREAKS)
  await walk(broken)
  await cutAfter(`${LOCAL} update`, 'Going back', 0)
  await walk([['the power fails on the way back', `${LOCAL} version`, /florin 99[.]0/], ...broken])
  await walkPackage()
} finally {
  await debian.close()
  rmSync(home, { recursive: true, force: true })
}
process.exit(isAllRight ? 0 : 1)
