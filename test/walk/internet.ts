// The parts of the internet that a new server needs: a certificate authority, which connects to port 80, and
// the releases in a folder, one executable for each version. Prints their URLs as one line of JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAcmeServer } from '../support/acme-server.ts'
import { newSigningKey, openReleaseServer } from '../support/release-server.ts'

const [folder = ''] = process.argv.slice(2)
const authority = startAcmeServer({ now: Date.now, challengePort: 80 })
const key = newSigningKey()
const server = openReleaseServer()
const target = `linux-${process.arch}`

/** The releases of the folder that are not listed yet. */
function publishNew(): void {
  for (const version of readdirSync(folder).sort()) {
    if (server.releases.some(release => release.version === version)) continue
    server.publish(key, version, readFileSync(join(folder, version)), { target, security: true })
  }
}

server.answers.set('/index.json', () => {
  publishNew()
  return Response.json({ releases: server.releases })
})
const lines = {
  acmeUrl: authority.url,
  caPem: authority.authority.rootPem,
  releasesUrl: server.url,
  key: key.line,
}
process.stdout.write(`${JSON.stringify(lines)}\n`)
