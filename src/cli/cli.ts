import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { Command, CommanderError } from 'commander'
import { openFlorin } from '../boot/compose.ts'
import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { OVERLAP_MAX_MS } from '../domain/api-key.ts'
import { invalid, Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { parseEnvFile } from '../settings/env-file.ts'
import { duration } from '../settings/parsers.ts'
import { type Environment, readSettings, SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { DatabaseError } from '../storage/index.ts'
import { UpdateError } from '../updates/update-error.ts'

/** The result of a command: `json` for programs, `text` for people. */
export interface Answer {
  json: unknown
  text: string
  /** the file to print instead of the text */
  bytes?: Uint8Array
  /** 1 if the command found a problem, 3 if it found an update */
  exitCode?: 0 | 1 | 3
}

/** Input and output of a command; tests pass their own. */
interface Terminal {
  environment: Environment
  print(text: string): void
  /** prints a file */
  write?(bytes: Uint8Array): void
  complain(text: string): void
  /** true if a person reads the output; secrets are printed only then */
  isInteractive?: boolean
}

type Options = Record<string, string | boolean | undefined>

export const MERCHANT_ID = 'ID of the merchant (see florin merchant list)'

/** Creates a command with the options that all commands have. */
export const command = (
  name: string,
  description: string,
  json = 'print the result as one JSON value',
): Command =>
  new Command(name)
    .description(description)
    .option('--json', json)
    .option(
      '--env-file <file>',
      'read settings from this file, one NAME=value per line; environment variables take precedence',
    )

export class Cli {
  exitCode = 0
  /** additions to the environment, from --env-file or FLORIN_ENV_FILE */
  #fromFile: Environment = {}
  /** settings that options of the command line name, which take precedence */
  #fromOptions: Environment = {}

  constructor(readonly terminal: Terminal) {}

  get environment(): Environment {
    return { ...this.#fromFile, ...this.terminal.environment, ...this.#fromOptions }
  }

  /** Reads the settings file that the command line or the environment names. */
  loadEnvFile(option: string | undefined): void {
    const file = option ?? this.terminal.environment.FLORIN_ENV_FILE
    if (file) this.#fromFile = parseEnvFile(file, contentOf(file))
  }

  /** Uses the values and the settings files that a systemd unit names. The environment takes precedence. */
  readUnit({ values, files }: { values: Environment; files: string[] }): void {
    this.#fromFile = Object.assign({ ...values }, ...files.map(file => parseEnvFile(file, contentOf(file))))
  }

  /** Sets a setting by an option of the command line. */
  set(name: string, value: string | undefined): void {
    if (value !== undefined) this.#fromOptions = { ...this.#fromOptions, [name]: value }
  }

  settings(): Settings {
    return readSettings(this.environment)
  }

  /** Wraps an action that prints one answer. The action gets the command's arguments, then its options. */
  answering<T extends unknown[]>(action: (...args: T) => Promise<Answer> | Answer) {
    return async (...args: unknown[]): Promise<void> => {
      const own = args.slice(0, -1) as T
      const options = args.at(-2) as Options
      const answer = await action(...own)
      if (answer.bytes && !options.json) this.terminal.write?.(answer.bytes)
      else this.terminal.print(options.json ? JSON.stringify(answer.json) : answer.text)
      this.exitCode = answer.exitCode ?? 0
    }
  }

  /**
   * Wraps an action that uses the database, even beside a running server. Only an action that needs nothing
   * from the database may create it.
   */
  withContext<T extends unknown[]>(
    action: (context: Context, ...args: T) => Promise<Answer>,
    { mayCreate = false } = {},
  ) {
    return this.answering(async (...args: T) => {
      const settings = this.settings()
      const platform = realPlatform(makeLog('silent'))
      const url = `http://${settings.host}:${settings.port}`
      const florin = await openFlorin(settings, platform, url, undefined, { as: 'command', mayCreate })
      try {
        await florin.context.upstreams.reload()
        const client = loginName(this.terminal.environment)
        return await action({ ...florin.context, origin: { ...florin.context.origin, client } }, ...args)
      } finally {
        await florin.close()
      }
    })
  }

  /** Runs a command line. Returns the exit code: 0 success, 1 refused, 2 wrong usage. */
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

/**
 * The login name of the person who runs the command, for the audit log. It is no proof: a person who may run
 * commands as another user can also change these variables.
 */
function loginName({ SUDO_USER, DOAS_USER }: Environment): string | null {
  const name = SUDO_USER || DOAS_USER
  if (name && /^[\w.@-]{1,64}$/.test(name)) return name
  try {
    return userInfo().username
  } catch {
    // In a container, the user may have a number, but no name.
    return null
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(`Cannot read the settings file ${file} (${(error as Error).message}).`)
  }
}

const isExpected = (error: unknown): error is Error =>
  [Refusal, SettingsError, DatabaseError, UpdateError].some(kind => error instanceof kind)

const sentenceOf = (error: unknown): string => {
  if (isExpected(error)) return error.message
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `Unexpected error. This is a bug in Florin; please report it:\n${stack}`
}

/** Formats rows as a table with aligned columns. */
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

/** Parses the time for which a former secret stays valid beside the new one. Returns milliseconds. */
export function parseOverlap(value: string): number {
  try {
    return value === '0' ? 0 : duration(0, OVERLAP_MAX_MS, 'at most 30d')(value)
  } catch {
    throw invalid('overlap', 'must be 0 or a duration of at most 30 days, such as 90m, 24h or 7d')
  }
}
