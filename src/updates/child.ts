import { UpdateError } from './update-error.ts'

export type Environment = Record<string, string | undefined>

interface Ran {
  /** exit code of the program; null if it did not end in time */
  exitCode: number | null
  stdout: string
  /** the error output of the program, or its output if that is empty */
  reason: string
}

/** Runs a program. Kills it if it does not end within `mostMs`. */
export async function run(command: string[], environment: Environment, mostMs: number): Promise<Ran> {
  const child = Bun.spawn(command, {
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: mostMs,
    killSignal: 'SIGKILL',
  })
  const texts = [child.stdout, child.stderr].map(stream => new Response(stream).text())
  const [stdout = '', stderr = ''] = await Promise.all(texts)
  await child.exited
  const exitCode = child.signalCode === null ? child.exitCode : null
  return { exitCode, stdout, reason: stderr.trim() || stdout.trim() || 'It says nothing.' }
}

/** Runs a command of an executable of Florin, and returns its answer. Throws an UpdateError if it fails. */
export async function ask(
  executable: string,
  args: string[],
  environment: Environment,
  mostMs: number,
): Promise<Record<string, unknown>> {
  let ran: Ran
  try {
    ran = await run([executable, ...args, '--json'], environment, mostMs)
  } catch (error) {
    throw new UpdateError(`${executable} cannot be run: ${(error as Error).message}`)
  }
  const { exitCode, stdout, reason } = ran
  if (exitCode === null) throw new UpdateError(`${args[0]} did not end within ${mostMs / 1000} s`)
  if (exitCode !== 0) throw new UpdateError(reason)
  try {
    const answer = JSON.parse(stdout)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {}
  throw new UpdateError(`it printed no answer: ${stdout.slice(0, 200)}`)
}
