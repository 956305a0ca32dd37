import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} auf ${network}`,
  pay: (amount, network) => `Zahlen Sie ${amount} im Netzwerk ${network}`,
  payCoin: amount => `Zahlen Sie ${amount}`,
  waiting: 'Warten auf Ihre Zahlung',
  timeLeft: 'Verbleibende Zeit:',
  payBefore: time => `Bezahlen Sie bis ${time}`,
  fewMinutesLeft: 'Noch weniger als fünf Minuten zum Bezahlen.',
  detected: 'Zahlung erkannt',
  detectedWith: progress => `Zahlung erkannt: ${progress}`,
  confirmations: 'Bestätigungen',
  progress: (done, required) => `${done} von ${required} Bestätigungen`,
  lastConfirmation: 'Warten auf die endgültige Bestätigung',
  aboutLeft: time => `noch etwa ${time}`,
  receivedPayments: 'Bisher eingegangen',
  closePage:
    'Sie können diese Seite schließen. Die Bestellung wird als bezahlt markiert, sobald das Netzwerk ' +
    'die Zahlung bestätigt.',
  leftToPay: amount => `Noch ${amount} zu zahlen`,
  sendRest: received => `Wir haben ${received} erhalten. Bitte senden Sie den Rest an dieselbe Adresse.`,
  dustTitle: 'Der Restbetrag ist zu klein zum Senden',
  qrOfPayment: 'QR-Code der Zahlung',
  qrOfAddress: 'QR-Code der Adresse',
  cannotScan: 'Ihre Wallet kann diesen Code nicht scannen?',
  onlyAddress: 'Dieser Code enthält nur die Adresse.',
  showAddressOnly: 'Nur die Adresse anzeigen',
  includeAmount: 'Mit Betrag anzeigen',
  openWallet: 'In der Wallet öffnen',
  walletClosed: 'Es öffnet sich nichts? Kopieren Sie Betrag und Adresse in Ihre Wallet.',
  browserWallet: {
    pay: 'Mit {wallet} bezahlen',
    open: 'Bestätigen Sie die Zahlung in Ihrer Wallet.',
    sent: 'Gesendet. Diese Seite ändert sich, sobald die Zahlung erkannt wird.',
    again: 'Noch einmal mit {wallet} senden?',
    twice:
      'Senden Sie nur dann noch einmal, wenn Ihre Wallet meldet, dass die erste Zahlung fehlgeschlagen ist.',
    rejected: 'Sie haben die Zahlung nicht bestätigt. Es wurde nichts gesendet.',
    chain: 'Ihre Wallet kennt dieses Netzwerk nicht. Fügen Sie es dort hinzu und versuchen Sie es erneut.',
    failed:
      'Ihre Wallet konnte die Zahlung nicht senden. Prüfen Sie ihr Guthaben, oder bezahlen Sie mit dem ' +
      'QR-Code oder der Adresse.',
  },
  sendTestCoins: 'Testcoins senden',
  sendOnly: (coin, network) => `Senden Sie nur ${coin} im Netzwerk ${network}.`,
  otherCoins:
    'Andere Coins oder Coins über andere Netzwerke zählen eventuell nicht für diese Bestellung und ' +
    'können verloren gehen.',
  exactAmount: 'Senden Sie genau diesen Betrag in einer einzigen Transaktion.',
  exactAmountReason:
    'Wir erkennen Ihre Zahlung an ihrem Betrag. Wenn Sie von einer Börse zahlen, rechnen Sie deren ' +
    'Auszahlungsgebühr dazu, damit genau dieser Betrag ankommt.',
  exchangeFee:
    'Sie zahlen von einer Börse? Rechnen Sie deren Auszahlungsgebühr dazu, damit genau dieser Betrag ' +
    'ankommt.',
  amountLeft: 'Noch zu zahlen',
  amountDue: 'Senden Sie genau',
  toAddress: network => `An diese Adresse im Netzwerk ${network}`,
  rate: 'Kurs',
  theAmount: 'den Betrag',
  theAddress: 'die Adresse',
  nothingFound: network => `Im Netzwerk ${network} wurde noch keine Zahlung erkannt.`,
  nothingMore: 'Es ist nichts weiter eingegangen.',
  restMissing: 'Der Rest ist noch nicht eingegangen.',
  unconfirmed: 'Die Zahlung ist noch nicht bestätigt.',
  lapsed: 'Die Zeit zum Bezahlen ist abgelaufen',
  partOf: (received, due) => `${received} von ${due}`,
  maybePaid:
    'Haben Sie gerade bezahlt? Ihre Zahlung wird noch erkannt, und Sie können diese Seite ' +
    'schließen. Andernfalls rufen Sie einen neuen Preis ab.',
  newPrice: coin => `Neuen Preis in ${coin} abrufen`,
  notCovered:
    'Wir haben noch nicht den vollen Betrag erhalten. Wenn Sie gerade bezahlt haben, ' +
    'prüfen Sie es in einigen Minuten noch einmal.',
  elsewhere: {
    ask: 'Ich habe in einem anderen Netzwerk gesendet',
    looking: networks => `Wir sehen gerade nach: ${networks}.`,
    found: coins => `Gefunden: ${coins}.`,
    nothing: (networks, time) => `Wir haben um ${time} nachgesehen und nichts gefunden: ${networks}.`,
    unreachable: networks =>
      `Gerade nicht erreichbar: ${networks}. ` +
      'Wir versuchen es weiter; was Sie gesendet haben, geht nicht verloren.',
  },
  turnedTo: coin =>
    `In einem anderen Fenster wurde eine neuere Zahlung begonnen: ${coin}. Sie wird jetzt ` +
    'hier angezeigt. Wenn Sie schon bezahlt haben, wird Ihre Zahlung trotzdem erkannt.',
}
