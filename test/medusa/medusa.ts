import { cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, ROOT } from '../support/process.ts'
import { until } from '../support/until.ts'

const PLUGIN = 'medusa-payment-florin'
const START_MS = 180_000
const FILES = ['package.json', 'medusa-config.js', 'seed.js']
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

function run(command: string[], cwd: string, environment: Record<string, string> = {}): void {
  const env = { ...cleanEnvironment(), MEDUSA_DISABLE_TELEMETRY: 'true', ...environment }
  const { exitCode, stdout, stderr } = Bun.spawnSync(['nice', ...command], { cwd, env })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stdout}${stderr}`)
}

/** Installs Medusa unless the folder has it, and the packed plugin, whose types are checked. */
export function installShop(folder: string): void {
  if (folder.includes('dist')) throw new Error('Medusa finds no modules in a folder with "dist" in its path.')
  mkdirSync(folder, { recursive: true })
  for (const file of FILES) cpSync(join(ROOT, 'test/medusa/shop', file), join(folder, file))
  const npm = ['npm', 'install', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  if (!existsSync(join(folder, 'node_modules/@medusajs/medusa'))) run(npm, folder)
  const source = join(folder, 'plugin')
  rmSync(source, { recursive: true, force: true })
  cpSync(join(ROOT, 'plugins/medusa'), source, { recursive: true, dereference: true })
  run([process.execPath, COMPILER, '-p', 'tsconfig.json', '--types', 'node'], source)
  run(['npm', 'pack', '--ignore-scripts'], source)
  const installed = join(folder, 'node_modules', PLUGIN)
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed)
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  run(['tar', '-xzf', `${PLUGIN}-${version}.tgz`, '--strip-components=1', '-C', installed], source)
}

export interface Seeded {
  publishable: string
  secret: string
  region: string
  variant: string
  inventory: string
  location: string
}

/** Creates the tables of Medusa and the rows of the shop. */
export function seedShop(folder: string, environment: Record<string, string>): Seeded {
  const file = join(folder, 'seeded.json')
  const cli = join(folder, 'node_modules/.bin/medusa')
  run([cli, 'db:migrate', '--skip-scripts'], folder, environment)
  run([cli, 'exec', './seed.js'], folder, { ...environment, SEEDED: file })
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** A Medusa in a process of its own, which tests kill and start again. */
export class Medusa {
  #child: Bun.Subprocess | null = null
  readonly url: string

  constructor(
    readonly folder: string,
    readonly environment: Record<string, string>,
    readonly port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`
  }

  async start(): Promise<void> {
    const log = openSync(join(this.folder, 'medusa.log'), 'a')
    // Runs the file of the command itself, because a wrapper would survive the kill.
    const command = ['node', 'node_modules/@medusajs/cli/cli.js', 'start', '--port', String(this.port)]
    this.#child = Bun.spawn(command, {
      cwd: this.folder,
      env: {
        ...cleanEnvironment(),
        ...{ NODE_ENV: 'production', MEDUSA_DISABLE_TELEMETRY: 'true', COOKIE_SECRET: 'x' },
        ...this.environment,
      },
      stdio: ['ignore', log, log],
    })
    await until(() => this.#isHealthy(), 'the start of Medusa', START_MS)
  }

  async #isHealthy(): Promise<boolean> {
    if (this.#child?.exitCode !== null) throw new Error(`Medusa ended: see ${this.folder}/medusa.log`)
    await Bun.sleep(200)
    return fetch(`${this.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#child?.exited
    this.#child = null
  }
}
