// Merchants of the measured server, made with its own commands.
import { type Load, ORDER } from './load.ts'

/** The most payments of one merchant that can be open. */
const OPEN_MAX = 2000

export interface Shop {
  merchantId: string
  liveKey: string
}

/** Runs a command on the database in a directory. `florin` is the executable, or Bun and the source. */
export function runCommand(florin: string[], dataDir: string, ...args: string[]): Record<string, string> {
  const env = { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' }
  const ran = Bun.spawnSync([...florin, ...args, '--json'], { cwd: dataDir, env })
  if (ran.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${ran.exitCode}: ${ran.stderr}`)
  return JSON.parse(ran.stdout.toString())
}

let made = 0

/** A merchant who takes coins on EVM chains. */
export function newShop(florin: string[], dataDir: string): Shop {
  const who = ['--email', `shop${++made}@example.com`, '--name', 'Corner Coffee']
  const { merchantId = '' } = runCommand(florin, dataDir, 'merchant', 'create', ...who)
  const of = ['--merchant', merchantId]
  const { key = '' } = runCommand(florin, dataDir, 'key', 'create', ...of, '--mode', 'live')
  const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  runCommand(florin, dataDir, 'wallet', 'set', ...of, '--network', 'evm', wallet)
  return { merchantId, liveKey: key }
}

/** An order and the payment that its buyer opens. */
export const orderAndPayment = (creation: Load): Load => ({
  ...creation,
  limit: 2 * (OPEN_MAX - 100),
  followUp: {
    path: `/pay/${ORDER}/crypto`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ asset: 'ethereum/usdc' }).toString(),
  },
})
