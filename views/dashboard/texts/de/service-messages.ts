import { chainName } from '../chain-names.ts'
import type { Texts } from '../types.ts'
import { upstreamFaults } from './upstream-faults.ts'

type Upstream = Parameters<Texts['serviceMessages']['upstream_works']['text']>[0]

const names: Record<Upstream['upstream'], (one: Upstream) => string> = {
  endpoint: ({ name, chain }) => `Der Endpunkt ${name} von ${chainName(chain)}`,
  provider: ({ name }) => `Der Anbieter ${name}`,
  rates: ({ name }) => `Die Quelle ${name} für Wechselkurse`,
  simulation: () => 'Die simulierte Blockchain',
  mail: ({ name }) => `Der Mailserver ${name}`,
  notify_url: ({ name }) => `Der Kanal für Benachrichtigungen des Betreibers, ${name},`,
}

const effects: Record<Upstream['upstream'], string> = {
  endpoint:
    'Wenn kein anderer Endpunkt funktioniert, können Kunden dort nicht bezahlen. Mehr zeigt florin ' +
    'doctor.',
  provider: 'Kunden können dort keine neuen Zahlungen beginnen.',
  rates:
    'Bis sie wieder funktioniert, können Kunden mit Coins nur bezahlen, wenn zwei andere Quellen ' +
    'übereinstimmen.',
  simulation: 'Kunden können nicht mit Coins bezahlen.',
  mail: 'Benachrichtigungen und E-Mails an Kunden warten. Prüfen Sie FLORIN_SMTP_URL und den Mailserver.',
  notify_url:
    'Benachrichtigungen an den Betreiber warten. Prüfen Sie FLORIN_NOTIFY_URL und das Geheimnis dazu.',
}

/** What a server answered, or the system said, which is English. */
const quoted = (reason: string): string => `Die Meldung dazu (auf Englisch): „${reason.replace(/[.]$/, '')}“.`

/** What an upstream itself says about these has what the fault leaves open, such as which block. */
const quotedFaults: Fault[] = ['wrongChain', 'behind', 'malformed', 'failing']

type Fault = keyof typeof upstreamFaults

function reasonOf({ fault, reason }: { fault: Fault | null; reason: string }): string {
  if (fault === null) return quoted(reason)
  const known = upstreamFaults[fault]
  return quotedFaults.includes(fault) ? `${known} ${quoted(reason)}` : known
}

type BackupProblem = Parameters<Texts['serviceMessages']['backup_failed']['text']>[0]

const backupFaults: Record<NonNullable<BackupProblem['fault']>, string> = {
  diskFull:
    'Die Festplatte ist zu voll. Schaffen Sie Platz, oder setzen Sie FLORIN_BACKUP_DIR auf eine größere.',
  notWritable:
    'In den Ordner lässt sich nicht schreiben. Legen Sie ihn an, und geben Sie dem Benutzer, unter dem ' +
    'Florin läuft, das Recht dazu.',
  interrupted: 'Sie wurde unterbrochen. Vielleicht steht der Grund im Protokoll des Servers.',
  changed:
    'Die Datei hat sich verändert, seit sie erstellt wurde. Prüfen Sie die Festplatte, und ' +
    'erstellen Sie eine neue Sicherung.',
  incomplete: 'Es fehlen Zeilen.',
}

/** The names of files and the numbers are in the English sentence. */
function backupReason({ fault, reason }: BackupProblem): string {
  if (fault === null) return quoted(reason)
  return fault === 'interrupted' ? backupFaults[fault] : `${backupFaults[fault]} ${quoted(reason)}`
}

export const serviceMessages: Texts['serviceMessages'] = {
  upstream_down: {
    title: '',
    text: one => `${names[one.upstream](one)} funktioniert seit einer Stunde nicht. ${reasonOf(one)}`,
    advice: ({ upstream }) => effects[upstream],
  },
  upstream_works: {
    title: '',
    text: one => `${names[one.upstream](one)} funktioniert wieder.`,
    advice: '',
  },
  disk_low: {
    title: '',
    text: ({ freeMegabytes }) => `Auf der Festplatte der Datenbank sind nur noch ${freeMegabytes} MB frei.`,
    advice: 'Schaffen Sie Platz: Sonst können keine Bestellungen angenommen werden.',
  },
  disk_good: { title: '', text: 'Auf der Festplatte der Datenbank ist wieder genug Platz.', advice: '' },
  backup_none: {
    title: '',
    text: 'Mit florin backup wurde noch keine Sicherung erstellt oder vermerkt.',
    advice: 'Erstellen Sie regelmäßig eine, auf einer anderen Festplatte.',
  },
  backup_missing: {
    title: '',
    text: 'Seit zwei Tagen wurde keine Sicherung erstellt.',
    advice: 'Lassen Sie den Server laufen, und suchen Sie in seinem Protokoll nach backup.failed.',
  },
  backup_old: {
    title: '',
    text: ({ time }) => `Die neueste Sicherung ist vom ${time}.`,
    advice: 'Prüfen Sie, warum florin backup nicht mehr läuft.',
  },
  backup_failed: {
    title: '',
    text: one => `Die letzte Sicherung ist fehlgeschlagen. ${backupReason(one)}`,
    advice: '',
  },
  backup_made: { title: '', text: 'Eine neue Sicherung wurde erstellt.', advice: '' },
  backup_unusable: {
    title: '',
    text: one => `Eine Sicherung ließ sich bei einem Test nicht wiederherstellen. ${backupReason(one)}`,
    advice: '',
  },
  backup_usable: {
    title: '',
    text: 'Die neueste Sicherung ließ sich bei einem Test wiederherstellen und ist wieder vollständig.',
    advice: '',
  },
  replica_behind: {
    title: '',
    text: ({ lagMinutes }) =>
      lagMinutes === null
        ? 'Noch lässt sich keine externe Kopie der Datenbank wiederherstellen.'
        : `Die externe Kopie der Datenbank ist ${lagMinutes} Minuten im Rückstand.`,
    advice: ({ reason }) =>
      reason === null ? 'Vielleicht ist der Speicher zu langsam für die erste Kopie.' : quoted(reason),
  },
  replica_good: {
    title: '',
    text: 'Die externe Kopie der Datenbank ist wieder auf dem neuesten Stand.',
    advice: '',
  },
  log_lost: {
    title: '',
    text: ({ lines }) => `Protokollzeilen lassen sich nicht schreiben: ${lines} sind bisher verloren.`,
    advice:
      'Prüfen Sie die Festplatte des Protokolls und das Programm, das es liest. Zahlungen laufen weiter.',
  },
  log_works: { title: '', text: 'Protokollzeilen werden wieder geschrieben.', advice: '' },
  files_low: {
    title: '',
    text: ({ used, limit }) =>
      used === null
        ? `Nur ${limit} Dateien und Verbindungen dürfen offen sein. Kunden müssen vielleicht warten.`
        : `${used} von ${limit} möglichen Dateien und Verbindungen sind offen. Kunden müssen ` +
          'vielleicht warten.',
    advice: 'Erhöhen Sie die Grenze: LimitNOFILE=65536 in der systemd-Unit, oder ulimit -n vor dem Start.',
  },
  files_good: {
    title: '',
    text: 'Es können wieder genug Dateien und Verbindungen geöffnet werden.',
    advice: '',
  },
  service_unknown: {
    title: '',
    text: one => `Eine Prüfung des Servers ist fehlgeschlagen. ${reasonOf(one)}`,
    advice: '',
  },
}
