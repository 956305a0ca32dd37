import { plural } from '../../../texts/plural.ts'
import { chainName } from '../chain-names.ts'
import type { Texts } from '../types.ts'
import { goneMessages } from './gone-messages.ts'
import { payouts } from './payouts.ts'

type Messages = Texts['messages']
type Unmatched = Parameters<Messages['payment_unmatched']['text']>[0]
type PayoutProblem = Parameters<Messages['payout_unusable']['text']>[0]['problems'][number]

const reasons: Record<Unmatched['reason'], string> = {
  wrong_asset: 'Eine Zahlung kam in einem anderen Coin an, als die Bestellung verlangt',
  underpaid: 'Eine Zahlung kam an, die für ihre Bestellung zu klein ist',
  late:
    'Eine Zahlung kam an, als der Betrag in Coins nicht mehr galt, und hat ihre Bestellung nicht ' +
    'beglichen',
  second_payment: 'Eine Zahlung kam für eine Bestellung an, die schon bezahlt ist',
  order_closed: 'Eine Zahlung kam für eine Bestellung an, die nicht mehr bezahlt werden kann',
  too_late: 'Eine Zahlung kam zu spät an, um ihrer Bestellung zugeordnet zu werden',
}

const choices: Record<Unmatched['choice'], string> = {
  accept: 'Nehmen Sie sie als Zahlung an, oder geben Sie sie dem Kunden zurück.',
  force: 'Geben Sie sie dem Kunden zurück, oder markieren Sie die Bestellung als bezahlt.',
  none: 'Entscheiden Sie, ob Sie sie dem Kunden zurückgeben.',
}

const names: Record<string, string> = payouts.networks
const named = (network: string): string => names[network] ?? network

const sources: Record<string, string> = {
  xpub: 'ein erweiterter öffentlicher Schlüssel',
  viewkey: 'ein View-Key',
  pool: 'eine Adressliste',
}

/** The name of the chain of a coin. */
const chainOf = (assetId: string): string => chainName(assetId.split('/')[0] ?? '')

const refundAddress: Messages['refund_address'] = {
  title: 'Ein Kunde hat eine Erstattungsadresse angegeben',
  text: ({ sum, address }) => `Der Kunde hat eine Erstattungsadresse für ${sum} angegeben: ${address}.`,
  advice:
    'Fragen Sie den Kunden, bevor Sie Geld senden: Jeder, der den Link der Bezahlseite hat, kann ' +
    'eine Adresse ' +
    'angeben.',
}

function problemText({ chain: id, isCoinOnly, deployedOn }: PayoutProblem): string {
  const chain = chainName(id)
  if (isCoinOnly) return payouts.walletProblems.coin(chain)
  if (deployedOn.length === 0) return payouts.walletProblems.unknown(chain)
  const others = new Intl.ListFormat('de', { type: 'disjunction' }).format(deployedOn.map(chainName))
  return (
    `Kunden können auf ${chain} nicht zahlen: Die Wallet ist ein Smart Contract (wie Safe), den es auf ` +
    `${others} gibt, aber nicht auf ${chain}. Legen Sie ihn dort an, oder geben Sie eine andere Wallet ein.`
  )
}

const addressesLeft = (free: number): string =>
  free === 0
    ? 'keine Adressen mehr'
    : plural('de', free, { one: 'nur noch 1 Adresse', other: `nur noch ${free} Adressen` })

const ifNotYou =
  'Wenn das niemand aus Ihrem Team war, stellen Sie unter Wallets die richtige Wallet wieder ein, ' +
  'ändern Sie Ihr Passwort, widerrufen Sie den API-Schlüssel, falls einer benutzt wurde, und sehen ' +
  'Sie ins Protokoll.'

const morePoolAddresses = 'Fügen Sie unter Wallets weitere hinzu.'

export const messages: Messages = {
  several: count => `${count} Benachrichtigungen`,
  more: count => `… und ${count} weitere.`,
  order: id => `Bestellung ${id}`,
  dashboard: url => `Im Dashboard: ${url}`,
  by: {
    cli: 'einem Befehl auf dem Server',
    key: id => `dem API-Schlüssel ${id}`,
    user: 'einer Person im Dashboard',
  },
  order_paid: {
    title: '',
    text: ({ amount, number }) =>
      number === null
        ? `Eine Bestellung wurde bezahlt: ${amount}.`
        : `Bestellung ${number} wurde bezahlt: ${amount}.`,
    advice: '',
  },
  payment_unmatched: {
    title: 'Eine Zahlung hat ihre Bestellung nicht beglichen',
    text: ({ reason, sum, value, missing }) => {
      const worth = value === null ? '' : ` im Wert von ${value}`
      const lacking = missing === null ? '' : ` Es fehlen ${missing.amount} von ${missing.of}.`
      return `${reasons[reason]}: ${sum}${worth}.${lacking}`
    },
    advice: ({ choice }) => choices[choice],
  },
  refund_address: refundAddress,
  refund_address_over: refundAddress,
  ...goneMessages,
  settled_late: {
    title: 'Eine Bestellung wurde verspätet bezahlt',
    text: ({ arrived, due, value }) => {
      const late =
        value === null
          ? 'Diese Bestellung wurde bezahlt, nachdem sie abgelaufen war'
          : 'Diese Bestellung wurde bezahlt, als der Betrag in Coins nicht mehr galt, durch ' +
            `Zahlungen, die bei ihrer Ankunft ${value} wert waren`
      return `${late}: ${arrived} angekommen, ${due} fällig.`
    },
    advice: '',
  },
  settled_short: {
    title: 'Eine Bestellung wurde mit etwas zu wenig bezahlt',
    text: ({ arrived, due, missing }) =>
      `Die Bestellung gilt als bezahlt: ${arrived} angekommen, ${due} fällig. Es fehlen ${missing}, ` +
      'was innerhalb der Grenze für Fehlbeträge liegt.',
    advice: '',
  },
  settled_over: {
    title: 'Ein Kunde hat zu viel bezahlt',
    text: ({ arrived, due }) => `Der Kunde hat zu viel bezahlt: ${arrived} angekommen, ${due} fällig.`,
    advice: ({ extra }) => `Entscheiden Sie, ob Sie ${extra} zurückgeben.`,
  },
  refund_recorded: {
    title: 'Eine Erstattung wurde eingetragen',
    text: ({ amount }) => `Erstattung eingetragen: ${amount}.`,
    advice: '',
  },
  refund_refused: {
    title: 'Eine Erstattung ist fehlgeschlagen',
    text: ({ amount }) => `Der Anbieter hat die Erstattung von ${amount} abgelehnt.`,
    advice: 'Zahlen Sie den Betrag auf anderem Weg zurück.',
  },
  refund_unsent: {
    title: 'Eine Erstattung ist fehlgeschlagen',
    text: ({ amount }) =>
      `Die Erstattung von ${amount} wurde nicht gesendet: ` +
      'Der Anbieter der Zahlung ist nicht mehr eingerichtet.',
    advice: 'Zahlen Sie den Betrag auf anderem Weg zurück.',
  },
  skipped_payment: {
    title: 'Geld kam für eine Bestellung an, die seit dem Wiederherstellen einer Sicherung fehlt',
    text: ({ address, amount, assetId, isMore }) =>
      `${isMore ? 'Weiteres Geld' : 'Geld'} kam für eine Bestellung an, die in der wiederhergestellten ` +
      `Sicherung fehlt: ${isMore ? 'insgesamt ' : ''}${amount} auf ${chainOf(assetId)} an ${address}.`,
    advice:
      'Suchen Sie die Zahlung in Ihrer Wallet, fragen Sie Ihre Kunden, von wem sie ist, und erstatten Sie ' +
      'sie, oder liefern Sie die Bestellung. Markieren Sie sie dann als erledigt.',
  },
  webhook_failing: {
    title: '',
    text: ({ host, since, failures }) =>
      `Ihr Webhook ist gestört: An ${host} konnte seit ${since} kein Ereignis zugestellt werden ` +
      `(${plural('de', failures, { one: '1 Fehlversuch', other: `${failures} Fehlversuche` })}).`,
    advice: 'Ihre Website muss mit Status 200 antworten. Wartende Ereignisse werden dann gesendet.',
  },
  webhook_works: {
    title: '',
    text: ({ host }) =>
      `Ihr Webhook funktioniert wieder: ${host} hat ein Ereignis angenommen. Alles, was wartet, ` +
      'wird jetzt gesendet.',
    advice: '',
  },
  webhook_disabled: {
    title: 'Ihr Webhook wurde abgeschaltet',
    text: ({ host }) =>
      `Ihr Webhook wurde abgeschaltet: An ${host} konnte 5 Tage lang nichts zugestellt werden. ` +
      'Florin versucht es nur noch einmal am Tag.',
    advice:
      'Beheben Sie den Fehler auf dem Server unter dieser URL, und senden Sie dann ein Testereignis ' +
      'oder speichern Sie die URL noch einmal. Alle wartenden Ereignisse werden dann gesendet.',
  },
  webhook_changed: {
    title: 'Der Webhook wurde geändert',
    text: ({ by, events, url, formerUrl }) => {
      const from = formerUrl === null ? '' : ` statt ${formerUrl}`
      return `Der Webhook wurde von ${by} geändert: ${events.join(', ')} an ${url}${from}.`
    },
    advice: '',
  },
  event_given_up: {
    title: 'Ein Ereignis konnte nicht zugestellt werden',
    text: ({ tries }) =>
      `Das Ereignis order.paid dieser Bestellung konnte in 3 Tagen mit ${tries} Versuchen nicht ` +
      'zugestellt werden.',
    advice:
      'Florin versucht es nicht mehr regelmäßig. Das Ereignis wird gesendet, sobald Ihr Webhook ' +
      'wieder funktioniert oder wenn Sie „Erneut senden“ wählen.',
  },
  key_created: {
    title: 'Ein API-Schlüssel wurde erstellt',
    text: ({ by, mode, keyId, scopes }) =>
      `Ein API-Schlüssel (${mode}) wurde von ${by} erstellt: ${keyId}. Rechte: ${scopes.join(', ')}.`,
    advice: '',
  },
  wallets_changed: {
    title: 'Eine Auszahlungs-Wallet wurde geändert',
    text: ({ by, changes }) => {
      const all = changes.map(
        ({ network, from, to }) => `${named(network)} von ${from ?? 'keiner'} zu ${to ?? 'keiner'}`,
      )
      return `Auszahlungs-Wallets wurden von ${by} geändert: ${all.join('; ')}.`
    },
    advice: ifNotYou,
  },
  source_changed: {
    title: 'Wie Kunden Adressen erhalten, wurde geändert',
    text: ({ by, network, source, isUsed }) => {
      const what = `${sources[source] ?? source} wird ${isUsed ? 'jetzt' : 'nicht mehr'} benutzt`
      return `Wie Kunden Adressen für ${named(network)} erhalten, wurde von ${by} geändert: ${what}.`
    },
    advice: ifNotYou,
  },
  payout_unusable: {
    title: '',
    text: ({ address, problems }) =>
      `Ihre Wallet ${address} kann nicht alle Zahlungen annehmen. ` +
      `${problems.map(problemText).join(' ')}`,
    advice: '',
  },
  payout_usable: {
    title: '',
    text: ({ address, chains }) =>
      `Ihre Wallet ${address} nimmt Zahlungen auf ${chains.map(chainName).join(', ')} wieder an.`,
    advice: '',
  },
  pool_changed: {
    title: 'Eine Adressliste wurde geändert',
    text: ({ by, network, count, isAdded }) =>
      `${count === 1 ? '1 Adresse wurde' : `${count} Adressen wurden`} von ${by} ${
        isAdded
          ? `zur Adressliste von ${named(network)} hinzugefügt`
          : `aus der Adressliste von ${named(network)} genommen`
      }.`,
    advice: ({ isAdded }) =>
      `Wenn das niemand aus Ihrem Team war, ${
        isAdded
          ? 'nehmen Sie die Adressen unter Wallets heraus'
          : 'fügen Sie die Adressen unter Wallets wieder hinzu'
      }, ändern Sie Ihr Passwort und sehen Sie ins Protokoll.`,
  },
  pool_low: {
    title: '',
    text: ({ network, free }) =>
      `In der Adressliste von ${named(network)} sind ${addressesLeft(free)} übrig.`,
    advice: morePoolAddresses,
  },
  pool_refilled: {
    title: '',
    text: ({ network, free }) => `Die Adressliste von ${named(network)} hat wieder Adressen: ${free} übrig.`,
    advice: ({ isLow }) => (isLow ? morePoolAddresses : ''),
  },
  gap_limit_low: {
    title: '',
    text: ({ network, unpaid }) =>
      'Ihre Wallet zeigt neue Zahlungen vielleicht nicht an: ' +
      `Die letzten ${unpaid} Adressen von ${named(network)} wurden nie bezahlt.`,
    advice: ({ gapLimit, isOver }) =>
      'Setzen Sie ihr Gap-Limit (wie viele unbenutzte Adressen in Folge sie durchsucht) auf mindestens ' +
      `${gapLimit}.${
        isOver
          ? ' Kunden erhalten keine weiteren Adressen, bis eine davon bezahlt ist oder der Betreiber ' +
            'dieses Servers FLORIN_UNPAID_ADDRESSES erhöht.'
          : ''
      }`,
  },
  gap_limit_good: {
    title: '',
    text: ({ network, unpaid }) =>
      `Neue Adressen von ${named(network)} werden wieder bezahlt: ` +
      `eine nach ${unpaid}, die nicht bezahlt wurden.`,
    advice: ({ gapLimit }) =>
      `Wenn Ihre Wallet diese Zahlung nicht anzeigt, setzen Sie ihr Gap-Limit auf mindestens ${gapLimit}.`,
  },
}
