// Runs florin setup on a Debian with its own systemd, in namespaces of this machine; see README.md.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDebian, type Step } from '../support/debian.ts'

const EXECUTABLE = process.env.FLORIN_EXECUTABLE ?? 'dist/florin'
const INSIDE = '/opt/setup/florin'
const setup = `${INSIDE} setup --yes`
const killed = [0.1, 0.3, 0.5, 0.8, 1.2].map(
  seconds =>
    `timeout -s KILL ${seconds} ${setup}; ${setup} && systemctl is-active florin && ${setup} --remove`,
)

/** Shell commands, run one after another, and the output that each must have. */
const steps: readonly Step[] = [
  [
    'nothing is there',
    'rm -rf /var/lib/florin /var/backups/florin /etc/florin.env; userdel florin; true',
    /exit 0$/,
  ],
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
const debian = await openDebian(root)
await debian.boot()
const isAllRight = await debian.walk(steps).finally(debian.close)
process.exit(isAllRight ? 0 : 1)
