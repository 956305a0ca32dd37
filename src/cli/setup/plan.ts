import { normalize } from 'node:path'
import { type Environment, readSettings, SettingsError } from '../../settings/read.ts'

export const ENV_FILE = '/etc/florin.env'
export const UNIT_DIR = '/etc/systemd/system'
const BACKUP_DIR = '/var/backups/florin'
/** The data directory that systemd itself makes, as the StateDirectory of the unit. */
export const STATE_DIR = '/var/lib/florin'

/** The installation that setup is to make. */
export interface Plan {
  /** host names, with commas between them; empty without HTTPS of its own */
  domain: string
  /** address of the first user, also for the certificate authority; empty if not given */
  email: string
  /** the system's user that runs the server */
  user: string
  dataDir: string
  /** folder of the daily backups; empty for none, such as on PostgreSQL, which has tools of its own */
  backupDir: string
}

/** Answers to the questions of setup. A missing one has been neither asked nor given. */
export type Answers = Partial<Pick<Plan, 'domain' | 'email' | 'user' | 'dataDir'>>

export type Question = keyof Answers

/**
 * Folders that cannot be used for data: those of the system, and those that the unit hides from the server.
 */
const reserved = [
  /^\/(bin|boot|dev|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var\/(run|tmp|backups))(\/|$)/,
  /^\/(var(\/(lib|log|cache|spool|opt))?|opt|srv|mnt|media)?$/,
]

function readDataDir(text: string): string {
  const dataDir = normalize(text).replace(/(?<=.)\/$/, '')
  if (!/^\/[A-Za-z0-9._/-]+$/.test(dataDir))
    throw new SettingsError(
      'The data directory must be an absolute path of letters, digits, ".", "_" and "-", such as ' +
        `${STATE_DIR}.`,
    )
  if (reserved.some(pattern => pattern.test(dataDir)))
    throw new SettingsError(
      `The data cannot be in ${dataDir}: it belongs to the system, or is hidden from services. Choose a ` +
        `folder of its own, such as ${STATE_DIR} or /srv/florin.`,
    )
  return dataDir
}

function readUser(user: string): string {
  if (!/^[a-z_][a-z0-9_-]{0,30}$/.test(user) || user === 'root')
    throw new SettingsError(
      'The user must be a name of lower-case letters, digits, "_" and "-", such as florin, and not root.',
    )
  return user
}

const readDomain = (domain: string): string =>
  readSettings({ FLORIN_DOMAIN: domain, FLORIN_DATA_DIR: STATE_DIR }).domains.join(',')

const readEmail = (email: string): string =>
  readSettings({ FLORIN_ACME_EMAIL: email, FLORIN_DATA_DIR: STATE_DIR }).acmeEmail

/** Checks an answer. Throws a SettingsError with a sentence for the person. */
export const readAnswer: Record<Question, (text: string) => string> = {
  domain: readDomain,
  email: readEmail,
  user: readUser,
  dataDir: readDataDir,
}

/** The settings of an existing server, and the user that an earlier setup recorded. */
export interface Former {
  environment: Environment
  user: string | null
}

/** The answers that are used without a question: the values that the machine has, or else the usual ones. */
export const defaultsOf = ({ environment, user }: Former): Required<Answers> => ({
  domain: environment.FLORIN_DOMAIN ?? '',
  email: environment.FLORIN_ACME_EMAIL ?? '',
  user: user ?? 'florin',
  dataDir: environment.FLORIN_DATA_DIR ?? STATE_DIR,
})

const backupDirOf = ({ FLORIN_DATABASE_URL, FLORIN_BACKUP_DIR }: Environment): string =>
  FLORIN_BACKUP_DIR ?? (FLORIN_DATABASE_URL ? '' : BACKUP_DIR)

export function planOf(former: Former, answers: Answers): Plan {
  const { domain, email, user, dataDir } = { ...defaultsOf(former), ...answers }
  const plan = {
    domain: readDomain(domain),
    email: readEmail(email),
    user: readUser(user),
    dataDir: readDataDir(dataDir),
    backupDir: backupDirOf(former.environment),
  }
  const before = former.environment.FLORIN_DATA_DIR
  if (before !== undefined && readDataDir(before) !== plan.dataDir)
    throw new SettingsError(
      `${ENV_FILE} has the data in ${before}, and setup does not move them. Stop the server, move the ` +
        `directory to ${plan.dataDir}, change FLORIN_DATA_DIR in ${ENV_FILE}, and run this again.`,
    )
  if (former.user !== null && former.user !== plan.user)
    throw new SettingsError(
      `The server runs as the user ${former.user}. To change that, run florin setup --remove first, which ` +
        'leaves the data.',
    )
  return plan
}
