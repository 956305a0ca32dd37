import { NAME, outboundTo } from './servers.ts'

/** Runs in a separate process, because a runtime reads its proxy settings when it starts. */
const port = Number(process.env.TARGET_PORT)
const outbound = outboundTo([port])
const plain = await outbound.post(`http://${NAME}:${port}/`, {}, '{}')
const secure = await outbound.post(`https://${NAME}:${port}/`, {}, '{}')
process.stdout.write(`${plain.outcome} ${secure.outcome}`)
