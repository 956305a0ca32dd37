import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Kies hoe je wilt betalen',
  byProvider: 'Kaart, bankoverschrijving of digitale portemonnee',
  crypto: 'Crypto',
  card: 'Kaart',
  bank: 'Bankoverschrijving',
  through: provider => `via ${provider}`,
  moreWays: 'Meer manieren om te betalen',
  moreCoins: 'Meer munten',
  filter: 'Zoek een betaalmethode',
  noMatch: 'Geen betaalmethode gevonden.',
  usual: (fee, time) => `Netwerkkosten meestal ongeveer ${fee}, duur ongeveer ${time}`,
  networks: count =>
    plural('nl', count, {
      one: `${count} netwerk`,
      other: `${count} netwerken`,
    }),
  payWith: method => `Betalen met ${method}`,
  continueTo: method => `Verder naar ${method}`,
  keepPageOpen: method =>
    `${method} opent in een nieuw tabblad. Kom terug naar deze pagina om te zien wanneer je ` +
    'betaling binnen is.',
  handledBy: company =>
    `${company} verwerkt de betaling en betaalt de winkel in crypto. Mogelijk moet je je ` +
    'legitimeren en komen er kosten bij.',
  handledByNamed:
    'Het genoemde bedrijf verwerkt de betaling en betaalt de winkel in crypto. Mogelijk moet je ' +
    'je legitimeren en komen er kosten bij.',
  back: 'Terug naar je lopende betaling',
  noMethod: 'Geen betaalmethode',
  nothing: 'Er is op dit moment geen betaalmethode beschikbaar',
  providerAway: 'De betaalprovider reageert niet. Probeer het over een paar minuten opnieuw.',
  noneForAmount: 'Geen van de betaalmethoden van de winkel is beschikbaar voor dit bedrag.',
  openUntil: time => `Deze bestelling blijft open tot ${time}.`,
  cardsAway: 'Betalen met kaart, bankoverschrijving of digitale portemonnee is op dit moment niet mogelijk.',
  tryInMinutes: 'Probeer het over een paar minuten opnieuw.',
  networksAway: networks => `We kunnen ${networks} op dit moment niet bereiken.`,
  otherOrLater: 'Kies een andere betaalmethode of probeer het over een paar minuten opnieuw.',
  unavailable: method => `${method} is niet beschikbaar`,
  chooseOther: 'Er is niets afgeschreven. Kies een andere methode.',
  declined: method => `${method} heeft de betaling geweigerd`,
  tryAgainOrOther:
    'De betaling is niet gelukt. Toont je bank een reservering, dan vervalt die vanzelf. Probeer het ' +
    'opnieuw of kies een andere methode.',
}
