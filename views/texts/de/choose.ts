import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Zahlungsart auswählen',
  byProvider: 'Karte, Überweisung oder digitale Wallet',
  crypto: 'Krypto',
  card: 'Karte',
  bank: 'Überweisung',
  through: provider => `über ${provider}`,
  moreWays: 'Weitere Zahlungsarten',
  moreCoins: 'Weitere Coins',
  filter: 'Zahlungsart suchen',
  noMatch: 'Keine passende Zahlungsart.',
  usual: (fee, time) => `Netzwerkgebühr meist etwa ${fee}, Dauer etwa ${time}`,
  networks: count => plural('de', count, { one: `${count} Netzwerk`, other: `${count} Netzwerke` }),
  payWith: method => `Mit ${method} bezahlen`,
  continueTo: method => `Weiter zu ${method}`,
  keepPageOpen: method =>
    `${method} öffnet sich in einem neuen Tab. Kehren Sie danach ` +
    'auf diese Seite ' +
    'zurück: Hier sehen Sie, wann Ihre Zahlung eingegangen ist.',
  handledBy: company =>
    `${company} wickelt die Zahlung ab und zahlt dem Shop Kryptowährung aus. Möglich sind eine ` +
    'Ausweisprüfung und eine eigene Gebühr.',
  handledByNamed:
    'Das genannte Unternehmen wickelt die Zahlung ab und zahlt dem Shop Kryptowährung aus. ' +
    'Möglich sind eine Ausweisprüfung und eine eigene Gebühr.',
  back: 'Zurück zur begonnenen Zahlung',
  noMethod: 'Keine Zahlungsart verfügbar',
  nothing: 'Derzeit ist keine Zahlungsart verfügbar',
  providerAway: 'Der Zahlungsanbieter antwortet nicht. Bitte versuchen Sie es in einigen Minuten erneut.',
  noneForAmount: 'Für diesen Betrag ist keine Zahlungsart des Shops verfügbar.',
  openUntil: time => `Sie können diese Bestellung bis ${time} bezahlen.`,
  cardsAway: 'Zahlungen per Karte, Überweisung oder digitaler Wallet sind derzeit nicht verfügbar.',
  tryInMinutes: 'Bitte versuchen Sie es in einigen Minuten erneut.',
  networksAway: networks => `Wir können ${networks} derzeit nicht erreichen.`,
  otherOrLater: 'Wählen Sie eine andere Zahlungsart, oder versuchen Sie es in einigen Minuten erneut.',
  unavailable: method => `${method} ist nicht verfügbar`,
  chooseOther: 'Ihnen wurde nichts berechnet. Wählen Sie eine andere Zahlungsart.',
  declined: method => `${method} hat die Zahlung abgelehnt`,
  tryAgainOrOther:
    'Die Zahlung kam nicht zustande. Wenn Ihre Bank einen vorgemerkten Betrag anzeigt, verschwindet er ' +
    'von selbst. Versuchen Sie es erneut oder wählen Sie eine andere Zahlungsart.',
}
