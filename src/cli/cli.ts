import { Command, CommanderError } from 'commander'
import { openFlorin } from '../boot/compose.ts'
import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { type Environment, readSettings, SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { DatabaseError } from '../storage/sqlite/migrate.ts'

/** What a command answers: for machines, and for people. */
export interface Answer {
  json: unknown
  text: string
  /** 1 where the command did its work and what it found is bad */
  exitCode?: 0 | 1
}

/** The ends of a process, so that a test can hold them. */
interface Terminal {
  environment: Environment
  print(text: string): void
  complain(text: string): void
}

type Options = Record<string, string | boolean | undefined>

/** A command with --json, as every one has it. */
export const command = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--json', 'print one JSON value on stdout and nothing else')

export class Cli {
  exitCode = 0

  constructor(readonly terminal: Terminal) {}

  settings(): Settings {
    return readSettings(this.terminal.environment)
  }

  /** An action that answers once. Its arguments are the command's own, then its options. */
  answering<T extends unknown[]>(action: (...args: T) => Promise<Answer> | Answer) {
    return async (...args: unknown[]): Promise<void> => {
      const given = args.slice(0, -1) as T
      const options = args.at(-2) as Options
      const answer = await action(...given)
      this.terminal.print(options.json ? JSON.stringify(answer.json) : answer.text)
      this.exitCode = answer.exitCode ?? 0
    }
  }

  /** An action over the merchant's database, which may be in use by a running server. */
  withContext<T extends unknown[]>(action: (context: Context, ...args: T) => Promise<Answer>) {
    return this.answering(async (...args: T) => {
      const settings = this.settings()
      const platform = realPlatform(makeLog('silent'))
      const florin = openFlorin(settings, platform, `http://${settings.host}:${settings.port}`)
      try {
        return await action(florin.context, ...args)
      } finally {
        await florin.close()
      }
    })
  }

  /** Runs a program to its end and answers the exit code: 0 done, 1 refused, 2 wrong usage. */
  async run(program: Command, args: string[]): Promise<number> {
    try {
      await program.parseAsync(args, { from: 'user' })
      return this.exitCode
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
      this.terminal.complain(sentenceOf(error))
      return 1
    }
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof Refusal || error instanceof SettingsError || error instanceof DatabaseError

const sentenceOf = (error: unknown): string => {
  if (isExpected(error)) return error.message
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `This is a bug in Florin, please report it:\n${stack}`
}

/** A table for a terminal, its columns as wide as they need to be. */
export function tableOf(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
