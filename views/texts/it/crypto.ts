import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} su ${network}`,
  pay: (amount, network) => `Paga ${amount} su ${network}`,
  payCoin: amount => `Paga ${amount}`,
  waiting: 'In attesa del pagamento',
  timeLeft: 'Tempo rimasto:',
  payBefore: time => `Paga entro le ${time}`,
  fewMinutesLeft: 'Restano meno di cinque minuti per pagare.',
  detected: 'Pagamento rilevato',
  detectedWith: progress => `Pagamento rilevato: ${progress}`,
  confirmations: 'Conferme',
  progress: (done, required) => `${done} conferme su ${required}`,
  lastConfirmation: 'In attesa della conferma definitiva',
  aboutLeft: time => `ancora circa ${time}`,
  receivedPayments: 'Ricevuto finora',
  closePage:
    'Puoi chiudere questa pagina. L’ordine verrà segnato come pagato non appena la rete confermerà il ' +
    'pagamento.',
  leftToPay: amount => `Ancora da pagare: ${amount}`,
  sendRest: received => `Abbiamo ricevuto ${received}. Invia il resto allo stesso indirizzo.`,
  dustTitle: 'L’importo rimanente è troppo piccolo per essere inviato',
  qrOfPayment: 'Codice QR del pagamento',
  qrOfAddress: 'Codice QR dell’indirizzo',
  cannotScan: 'Il portafoglio non riesce a leggere questo codice?',
  onlyAddress: 'Questo codice contiene solo l’indirizzo.',
  showAddressOnly: 'Mostra solo l’indirizzo',
  includeAmount: 'Includi l’importo',
  openWallet: 'Apri nel portafoglio',
  walletClosed: 'Non si è aperto nulla? Copia l’importo e l’indirizzo nel portafoglio.',
  browserWallet: {
    pay: 'Paga con {wallet}',
    open: 'Conferma il pagamento nel portafoglio.',
    sent: 'Inviato. Questa pagina cambia quando il pagamento viene rilevato.',
    again: 'Inviare di nuovo con {wallet}?',
    twice: 'Invia di nuovo solo se il portafoglio segnala che il primo pagamento non è riuscito.',
    rejected: 'Non hai confermato il pagamento. Non è stato inviato nulla.',
    chain: 'Il portafoglio non conosce questa rete. Aggiungila nel portafoglio, poi riprova.',
    failed:
      'Il portafoglio non è riuscito a inviare il pagamento. Controlla il saldo oppure paga con il ' +
      'codice QR o l’indirizzo.',
  },
  sendTestCoins: 'Invia monete di prova',
  sendOnly: (coin, network) => `Invia solo ${coin} sulla rete ${network}.`,
  otherCoins:
    'Altre criptovalute, o quelle inviate su altre reti, potrebbero non valere per questo ordine e ' +
    'andare perse.',
  exactAmount: 'Invia esattamente questo importo in un’unica transazione.',
  exactAmountReason:
    'Riconosciamo il pagamento dall’importo. Se paghi da un exchange, aggiungi la sua ' +
    'commissione di prelievo, in modo che arrivi esattamente questo importo.',
  exchangeFee:
    'Paghi da un exchange? Aggiungi la sua commissione di prelievo, in modo che arrivi esattamente ' +
    'questo importo.',
  amountLeft: 'Resta da pagare',
  amountDue: 'Invia esattamente',
  toAddress: network => `A questo indirizzo sulla rete ${network}`,
  rate: 'Cambio',
  theAmount: 'l’importo',
  theAddress: 'l’indirizzo',
  nothingFound: network => `Nessun pagamento ancora rilevato su ${network}.`,
  nothingMore: 'Non è arrivato altro.',
  restMissing: 'Il resto non è ancora arrivato.',
  unconfirmed: 'Il pagamento non è ancora confermato.',
  lapsed: 'Il tempo per pagare è scaduto',
  partOf: (received, due) => `${received} su ${due}`,
  maybePaid:
    'Hai appena pagato? Il pagamento verrà comunque rilevato e puoi chiudere questa pagina. ' +
    'Altrimenti, richiedi un nuovo prezzo.',
  newPrice: coin => `Richiedi un nuovo prezzo in ${coin}`,
  notCovered:
    'Non abbiamo ancora ricevuto l’intero importo. Se hai appena pagato, controlla di nuovo tra ' +
    'qualche minuto.',
  elsewhere: {
    ask: 'Ho inviato su un’altra rete',
    looking: networks => `Stiamo controllando ${networks}.`,
    found: coins => `Abbiamo trovato ${coins}.`,
    nothing: (networks, time) => `Abbiamo controllato ${networks} alle ${time} e non abbiamo trovato nulla.`,
    unreachable: networks =>
      `Non siamo riusciti a raggiungere ${networks}. ` +
      'Continueremo a provare: nulla di ciò che hai inviato andrà perso.',
  },
  turnedTo: coin =>
    `In un’altra finestra è stato avviato un pagamento più recente: ${coin}. Questa pagina ora ` +
    'mostra quello. Se hai già pagato, il tuo pagamento verrà comunque rilevato.',
}
