import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Zahlungsmethode auswählen',
  byProvider: 'Karte, Überweisung oder digitale Wallet',
  crypto: 'Krypto',
  card: 'Karte',
  bank: 'Überweisung',
  through: provider => `über ${provider}`,
  moreWays: 'Weitere Zahlungsarten',
  moreCoins: 'Weitere Coins',
  filter: 'Zahlungsart suchen',
  noMatch: 'Keine passende Zahlungsart.',
  usual: (fee, time) => `Netzwerkgebühr etwa ${fee}, Dauer etwa ${time}`,
  networks: count => plural('de', count, { one: `${count} Netzwerk`, other: `${count} Netzwerke` }),
  payWith: method => `Mit ${method} bezahlen`,
  continueTo: method => `Weiter zu ${method}`,
  keepPageOpen: method =>
    `${method} öffnet sich in einem neuen Tab. Auf dieser Seite sehen Sie danach, wenn Ihre ` +
    'Zahlung eingegangen ist.',
  back: 'Zurück zur begonnenen Zahlung',
  noMethod: 'Keine Zahlungsmethode',
  nothing: 'Derzeit ist keine Zahlungsmethode verfügbar',
  providerAway: 'Der Zahlungsanbieter antwortet nicht. Bitte versuchen Sie es in einigen Minuten erneut.',
  noneForAmount: 'Für diesen Betrag ist keine Zahlungsmethode des Shops verfügbar.',
  openUntil: time => `Diese Bestellung bleibt bis ${time} offen.`,
  cardsAway: 'Zahlungen per Karte, Überweisung oder digitaler Wallet sind derzeit nicht verfügbar.',
  tryInMinutes: 'Bitte versuchen Sie es in einigen Minuten erneut.',
  unavailable: method => `${method} ist nicht verfügbar`,
  chooseOther: 'Ihnen wurde nichts berechnet. Wählen Sie eine andere Zahlungsmethode.',
  declined: method => `${method} hat die Zahlung abgelehnt`,
  tryAgainOrOther:
    'Ihnen wurde nichts berechnet. Versuchen Sie es erneut oder wählen Sie eine andere Zahlungsmethode.',
}
