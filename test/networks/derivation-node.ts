import { type Program, programOf } from '../support/programs.ts'

const READY_MS = 60_000
const POLL_MS = 50

/** Starts a program with a JSON-RPC interface, and waits until it answers the method. */
export async function startNode(
  program: Program,
  flags: string[],
  url: string,
  ready: string,
  authorization = '',
) {
  const child = Bun.spawn([programOf(program), ...flags], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)

  async function stop(): Promise<void> {
    process.off('exit', kill)
    kill()
    await child.exited
  }

  async function rpc<T>(method: string, params: unknown = {}): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result: T; error?: { message: string } | null }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  const until = performance.now() + READY_MS
  const answers = () =>
    rpc(ready).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() > until) {
      await stop()
      throw new Error(`${program} did not start`)
    }
    await Bun.sleep(POLL_MS)
  }
  return { rpc, stop }
}
