import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { newKey } from './account-key.ts'
import { readCertificate } from './certificate.ts'
import type { Certificate } from './port.ts'

const ACCOUNT = 'account.pem'
const CERTIFICATE = 'certificate.pem'
const FAILURE = 'failure.json'

/** A record of failed tries. It is stored so that a restart does not exceed the limits of the CA. */
export interface Failure {
  names: string[]
  failures: number
  triedAt: number
  retryAt: number
  isRateLimited: boolean
  reason: string
}

/** Writes a file that only its owner can read. After a crash, the file is either the old or the new one. */
function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  const open = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(open, text)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

const keyPattern = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/

/** The files of one certificate authority. Each authority, such as one for tests, has a folder of its own. */
export class CertificateFiles {
  readonly folder: string

  constructor(dataDir: string, directoryUrl: string) {
    const { host, pathname } = new URL(directoryUrl)
    this.folder = join(dataDir, 'certificates', `${host}${pathname}`.replaceAll(/[^a-z0-9.-]+/gi, '_'))
  }

  /** Returns the key of the account. The first call creates it. */
  accountKey(): string {
    const known = textOf(join(this.folder, ACCOUNT))
    if (known !== null) return known
    const made = newKey()
    write(this.folder, ACCOUNT, made)
    return made
  }

  /** Returns the stored certificate, or null if there is none. Throws an Error if the file is damaged. */
  readCertificate(): Certificate | null {
    const text = textOf(join(this.folder, CERTIFICATE))
    if (text === null) return null
    const [key] = keyPattern.exec(text) ?? []
    if (key === undefined) throw new Error('the file has no private key')
    return readCertificate(key, text.replace(keyPattern, ''))
  }

  /** Stores a certificate. Its key and chain are written to one file, so that they always match. */
  writeCertificate({ key, chain }: Certificate): void {
    write(this.folder, CERTIFICATE, `${key}${chain}`)
  }

  readFailure(): Failure | null {
    try {
      const failure = JSON.parse(textOf(join(this.folder, FAILURE)) ?? 'null') as Failure | null
      return failure && Number.isFinite(failure.retryAt) && Number.isFinite(failure.failures) ? failure : null
    } catch {
      // A damaged record is ignored: without it, the next try only comes sooner.
      return null
    }
  }

  writeFailure(failure: Failure | null): void {
    if (failure === null) rmSync(join(this.folder, FAILURE), { force: true })
    else write(this.folder, FAILURE, JSON.stringify(failure))
  }
}
