import { showSettings } from '../settings/read.ts'
import { type Cli, command } from './cli.ts'

export const config = (cli: Cli) =>
  command('config', 'show every setting: current value, default and meaning').action(
    cli.answering(() => {
      cli.settings()
      const shown = showSettings(cli.environment)
      const text = shown
        .map(({ name, value, default: fallback, meaning }) => {
          const from = value === fallback ? '(default)' : `(default ${fallback || 'empty'})`
          return `${name}=${value} ${from}\n    ${meaning}`
        })
        .join('\n')
      return { json: shown, text }
    }),
  )
