import { type BackupRecord, backupProblem } from '../../domain/backup.ts'
import { hasPaymentMails } from '../../domain/brand.ts'
import { type MailServer, smtpUrlOf } from '../../domain/mail-server.ts'
import { BACKUP_OLD_MS } from '../../domain/outage.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { type Check, type Finding, fault, good, orGood, warning } from './finding.ts'

/** Reports a stored password of the dashboard's mail server that cannot be decrypted. */
function unreadableMail(mail: MailServer | null, smtpUrl: string): Finding[] {
  if (mail === null || mail.userName === '' || mail.password !== null) return []
  // The environment names another mail server, which takes precedence.
  if (smtpUrl !== smtpUrlOf(mail)) return []
  const message = 'The stored password of the mail server cannot be decrypted, so no emails are sent.'
  const remedy =
    'Restore the file that FLORIN_SECRETS_FILE names, and restart Florin; or enter the password again in ' +
    'the dashboard, under Server, Email.'
  return [fault('mail server', message, remedy)]
}

export const notifications: Check = ({ settings, rows }) => {
  const check = 'notifications'
  const { smtpUrl, notifyUrl } = settings
  if (smtpUrl === '' && notifyUrl === null) {
    const remedy =
      'Enter a mail server in the dashboard, under Server, Email; or set FLORIN_SMTP_URL and ' +
      'FLORIN_MAIL_FROM, or FLORIN_NOTIFY_URL.'
    return [
      warning(check, 'Nobody is notified, because neither email nor FLORIN_NOTIFY_URL is set up.', remedy),
    ]
  }
  const failing = (rows?.recipients ?? []).flatMap(({ recipient, failingSince, fault }) => {
    // People see problems of their own channels on their own page.
    if (failingSince === null || recipient.startsWith('channel:')) return []
    const id = recipient.slice('mail:'.length)
    const email = rows?.merchants.find(({ merchant }) => merchant.id === id)?.merchant.email ?? id
    const where = recipient === 'url' ? 'FLORIN_NOTIFY_URL' : email
    const message = `Notifications to ${where} have failed since ${formatTimestamp(failingSince)}: ${fault}.`
    return [warning(check, message, 'Correct the settings, then run florin notification test.')]
  })
  return [...unreadableMail(rows?.chosen.mail ?? null, smtpUrl), ...orGood(check, failing)]
}

/** Checks that buyers can get mails. These need a mail server; FLORIN_NOTIFY_URL does not send them. */
export const receipts: Check = ({ settings, rows }) => {
  if (settings.smtpUrl !== '') return []
  const remedy =
    'Enter a mail server in the dashboard, under Server, Email, or set FLORIN_SMTP_URL and ' +
    'FLORIN_MAIL_FROM; or run florin merchant set ID --receipts off --payment-mails off.'
  const wanting = (rows?.merchants ?? []).filter(
    ({ merchant }) => merchant.receipts || hasPaymentMails(merchant),
  )
  return wanting.map(({ merchant }) =>
    warning(
      `receipts of ${merchant.name}`,
      'Buyers get no emails, because no mail server is configured.',
      remedy,
    ),
  )
}

function scheduledBackups(record: BackupRecord, startedAt: number, now: number): Finding[] {
  const check = 'backup'
  const { madeAt, trialAt, trialProblem } = record
  const problem = backupProblem(record, startedAt, now)
  const remedy =
    'Run florin backup --trial: it makes one in FLORIN_BACKUP_DIR and tests whether it can be restored.'
  if (problem !== null) return [warning(check, problem, remedy)]
  if (trialProblem !== null) {
    return [fault(check, `The last test could not restore a backup: ${trialProblem}`, remedy)]
  }
  const made = madeAt === null ? 'not yet' : formatTimestamp(madeAt)
  return [good(check, trialAt === null ? made : `${made}, restored in a test ${formatTimestamp(trialAt)}`)]
}

/**
 * Checks that there is a recent backup; one a week is enough. For a database in a file, only backups by
 * florin backup are known; for one on a server, the recorded backups.
 */
export const backups: Check = ({ rows, platform, lastBackupAt, scheduled, isFile }) => {
  const [first] = rows?.merchants ?? []
  if (!first) return []
  const check = 'backup'
  if (scheduled) return scheduledBackups(scheduled, first.merchant.createdAt, platform.now())
  const isOld = platform.now() - (lastBackupAt ?? first.merchant.createdAt) >= BACKUP_OLD_MS
  if (!isOld) return [good(check, lastBackupAt === null ? 'not yet' : formatTimestamp(lastBackupAt))]
  const remedy = isFile
    ? 'Run florin backup FILE regularly, and keep the copies on another disk.'
    : 'Run pg_dump regularly, and florin backup --record after each that succeeded.'
  if (lastBackupAt === null) {
    const missing = isFile ? 'made with florin backup' : 'recorded with florin backup --record'
    return [warning(check, `No backup has been ${missing} yet.`, remedy)]
  }
  return [warning(check, `The newest backup is from ${formatTimestamp(lastBackupAt)}.`, remedy)]
}
