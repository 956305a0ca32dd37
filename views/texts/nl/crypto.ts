import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} op ${network}`,
  pay: (amount, network) => `Betaal ${amount} op ${network}`,
  payCoin: amount => `Betaal ${amount}`,
  waiting: 'Wachten op je betaling',
  timeLeft: 'Resterende tijd:',
  payBefore: time => `Betaal vóór ${time}`,
  fewMinutesLeft: 'Nog minder dan vijf minuten om te betalen.',
  detected: 'Betaling gevonden',
  detectedWith: progress => `Betaling gevonden: ${progress}`,
  confirmations: 'Bevestigingen',
  progress: (done, required) => `${done} van ${required} bevestigingen`,
  lastConfirmation: 'Wachten op de definitieve bevestiging',
  aboutLeft: time => `nog ongeveer ${time}`,
  receivedPayments: 'Tot nu toe ontvangen',
  closePage:
    'Je kunt deze pagina sluiten. De bestelling wordt als betaald gemarkeerd zodra het netwerk de ' +
    'betaling bevestigt.',
  leftToPay: amount => `Nog ${amount} te betalen`,
  sendRest: received => `We hebben ${received} ontvangen. Stuur de rest naar hetzelfde adres.`,
  dustTitle: 'Het resterende bedrag is te klein om te versturen',
  qrOfPayment: 'QR-code van de betaling',
  qrOfAddress: 'QR-code van het adres',
  cannotScan: 'Kan je wallet deze code niet scannen?',
  onlyAddress: 'Deze code bevat alleen het adres.',
  showAddressOnly: 'Alleen het adres tonen',
  includeAmount: 'Bedrag toevoegen',
  openWallet: 'Openen in wallet',
  walletClosed: 'Opent er niets? Kopieer het bedrag en het adres naar je wallet.',
  browserWallet: {
    pay: 'Betalen met {wallet}',
    open: 'Bevestig de betaling in je wallet.',
    sent: 'Verzonden. Deze pagina verandert zodra de betaling is gevonden.',
    again: 'Opnieuw verzenden met {wallet}?',
    twice: 'Verzend alleen opnieuw als je wallet meldt dat de eerste betaling is mislukt.',
    rejected: 'Je hebt de betaling niet bevestigd. Er is niets verzonden.',
    chain: 'Je wallet kent dit netwerk niet. Voeg het toe in je wallet en probeer het opnieuw.',
    failed:
      'Je wallet kon de betaling niet versturen. Controleer het saldo of betaal met de QR-code of het adres.',
  },
  sendTestCoins: 'Testmunten sturen',
  sendOnly: (coin, network) => `Stuur alleen ${coin} via het netwerk ${network}.`,
  otherCoins:
    'Andere munten, of munten via andere netwerken, tellen mogelijk niet mee voor deze bestelling ' +
    'en kunnen verloren gaan.',
  exactAmount: 'Stuur precies dit bedrag in één transactie.',
  exactAmountReason:
    'We herkennen je betaling aan het bedrag. Betaal je vanaf een exchange, tel dan de ' +
    'opnamekosten erbij op, zodat precies dit bedrag aankomt.',
  exchangeFee:
    'Betaal je vanaf een exchange? Tel de opnamekosten erbij op, zodat precies dit bedrag aankomt.',
  amountLeft: 'Nog te betalen',
  amountDue: 'Stuur precies',
  toAddress: network => `Naar dit adres op ${network}`,
  rate: 'Koers',
  theAmount: 'het bedrag',
  theAddress: 'het adres',
  nothingFound: network => `Nog geen betaling gevonden op ${network}.`,
  nothingMore: 'Er is niets meer binnengekomen.',
  restMissing: 'De rest is nog niet binnen.',
  unconfirmed: 'De betaling is nog niet bevestigd.',
  lapsed: 'De tijd om te betalen is voorbij',
  partOf: (received, due) => `${received} van ${due}`,
  maybePaid:
    'Heb je net betaald? Je betaling wordt alsnog gevonden en je kunt deze pagina sluiten. Vraag ' +
    'anders een nieuwe prijs op.',
  newPrice: coin => `Nieuwe prijs in ${coin} opvragen`,
  notCovered:
    'We hebben nog niet het volledige bedrag ontvangen. Heb je net betaald, controleer het dan ' +
    'over een paar minuten opnieuw.',
  elsewhere: {
    ask: 'Ik heb via een ander netwerk betaald',
    looking: networks => `We kijken nu op ${networks}.`,
    found: coins => `We hebben ${coins} gevonden.`,
    nothing: (networks, time) => `We hebben om ${time} op ${networks} gekeken en niets gevonden.`,
    unreachable: networks =>
      `We konden ${networks} niet bereiken. ` +
      'We blijven het proberen; wat je hebt verzonden, gaat niet verloren.',
  },
  turnedTo: coin =>
    `In een ander venster is een nieuwere betaling gestart: ${coin}. Deze pagina toont die nu. ` +
    'Als je al hebt betaald, wordt je betaling toch gevonden.',
}
