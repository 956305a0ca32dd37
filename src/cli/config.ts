import { chosenSettings, readChosen } from '../boot/chosen.ts'
import { secretsOf } from '../boot/secrets.ts'
import { secretsFileOf } from '../boot/secrets-file.ts'
import { nothingChosen } from '../domain/chosen.ts'
import { showSettings } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { databaseOf } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

/** Reads the operators' choices in the dashboard, if there is a readable database. */
async function chosenIn(settings: Settings): Promise<Record<string, string>> {
  if (settings.sandbox) return {}
  const database = databaseOf(settings)
  const state = await database.readState()
  if (state.kind !== 'whole' || state.pendingMigrations > 0) return {}
  const storage = await database.open(Date.now(), { as: 'command', mayCreate: false })
  try {
    return chosenSettings(
      settings,
      await readChosen(storage, secretsOf(secretsFileOf(settings))).catch(() => nothingChosen),
    )
  } finally {
    await storage.close()
  }
}

export const config = (cli: Cli) =>
  command('config', 'show every setting: current value, where it comes from, default and meaning').action(
    cli.answering(async () => {
      const chosen = await chosenIn(cli.settings())
      const shown = showSettings({ ...cli.environment, ...chosen }).map(setting =>
        Object.hasOwn(chosen, setting.name) ? { ...setting, origin: 'dashboard' as const } : setting,
      )
      const text = shown
        .map(({ name, value, origin, default: fallback, meaning }) => {
          const from = origin === 'dashboard' ? 'chosen in the dashboard, ' : ''
          const note = value === fallback ? '(default)' : `(${from}default ${fallback || 'empty'})`
          return `${name}=${value} ${note}\n    ${meaning}`
        })
        .join('\n')
      return { json: shown, text }
    }),
  )
