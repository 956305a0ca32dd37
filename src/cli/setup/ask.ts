import { createInterface } from 'node:readline'
import { SettingsError } from '../../settings/read.ts'
import { type Answers, defaultsOf, type Former, type Question, readAnswer } from './plan.ts'

const questions: Record<Question, { flag: string; text: string }> = {
  domain: {
    flag: '--domain',
    text:
      'Domain of this server, such as pay.shop.example. Florin gets a certificate for it from Let’s\n' +
      'Encrypt, whose terms you then agree to. Empty: HTTPS is left to a reverse proxy',
  },
  email: {
    flag: '--email',
    text: 'Your email address, with which you sign in. The certificate authority gets it too',
  },
  user: { flag: '--user', text: 'System user that runs the server' },
  dataDir: { flag: '--data-dir', text: 'Directory of the data' },
}

const names = Object.keys(questions) as Question[]

/** The options of the command line that give the answers, for a shell. */
export const flagsOf = (answers: Answers): string =>
  names
    .flatMap(name => {
      const value = answers[name]
      return value === undefined ? [] : [`${questions[name].flag} '${value}'`]
    })
    .join(' ')

/**
 * Asks a person for the answers that the command line does not give. With `isSure`, or if none is missing,
 * asks nothing.
 */
export async function ask(former: Former, given: Answers, isSure: boolean): Promise<Answers> {
  const open = names.filter(name => given[name] === undefined)
  if (isSure || open.length === 0) return given
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const flags = open.map(name => questions[name].flag).join(', ')
    throw new SettingsError(
      `Setup asks questions on a terminal, and there is none. Answer them with ${flags}, or take the ` +
        'defaults with --yes.',
    )
  }
  const defaults = defaultsOf(former)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const lines = terminal[Symbol.asyncIterator]()
  const answers: Answers = { ...given }
  try {
    for (const name of open) answers[name] = await answerTo(name, defaults[name], lines)
  } finally {
    terminal.close()
  }
  return answers
}

/** Asks until the answer can be used. Takes lines from an iterator, since several may be pasted at once. */
async function answerTo(name: Question, usual: string, lines: AsyncIterator<string>): Promise<string> {
  for (;;) {
    process.stderr.write(`${questions[name].text}${usual && ` [${usual}]`}: `)
    const { done, value } = await lines.next()
    if (done) throw new SettingsError('Cancelled; nothing was changed.')
    try {
      return readAnswer[name](value.trim() || usual)
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      process.stderr.write(`${error.message}\n`)
    }
  }
}
