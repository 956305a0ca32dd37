import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Scegli come pagare',
  byProvider: 'Carta, bonifico bancario o portafoglio digitale',
  crypto: 'Criptovalute',
  card: 'Carta',
  bank: 'Bonifico bancario',
  through: provider => `tramite ${provider}`,
  moreWays: 'Altri metodi di pagamento',
  moreCoins: 'Altre criptovalute',
  filter: 'Cerca un metodo di pagamento',
  noMatch: 'Nessun metodo di pagamento trovato.',
  usual: (fee, time) => `Commissione di rete di solito circa ${fee}, tempo circa ${time}`,
  networks: count =>
    plural('it', count, {
      one: `${count} rete`,
      other: `${count} reti`,
    }),
  payWith: method => `Paga con ${method}`,
  continueTo: method => `Continua su ${method}`,
  keepPageOpen: method =>
    `${method} si apre in una nuova scheda. Torna su questa pagina per vedere quando è arrivato ` +
    'il pagamento.',
  handledBy: company =>
    `${company} gestisce il pagamento e paga il negozio in criptovalute. Può chiedere un ` +
    'documento d’identità e aggiungere una propria commissione.',
  handledByNamed:
    'L’azienda indicata gestisce il pagamento e paga il negozio in criptovalute. Può chiedere un ' +
    'documento d’identità e aggiungere una propria commissione.',
  back: 'Torna al pagamento iniziato',
  noMethod: 'Nessun metodo di pagamento',
  nothing: 'Al momento non è disponibile alcun metodo di pagamento',
  providerAway: 'Il fornitore di pagamenti non risponde. Riprova tra qualche minuto.',
  noneForAmount: 'Nessuno dei metodi di pagamento del negozio è disponibile per questo importo.',
  openUntil: time => `Questo ordine resta aperto fino al ${time}.`,
  cardsAway:
    'I pagamenti con carta, bonifico bancario o portafoglio digitale al momento non sono disponibili.',
  tryInMinutes: 'Riprova tra qualche minuto.',
  networksAway: networks => `Al momento non riusciamo a raggiungere ${networks}.`,
  otherOrLater: 'Scegli un altro metodo di pagamento o riprova tra qualche minuto.',
  unavailable: method => `${method} non è disponibile`,
  chooseOther: 'Non ti è stato addebitato nulla. Scegli un altro metodo.',
  declined: method => `${method} ha rifiutato il pagamento`,
  tryAgainOrOther:
    'Il pagamento non è andato a buon fine. Se la tua banca mostra un importo bloccato, verrà sbloccato ' +
    'automaticamente. Riprova o scegli un altro metodo.',
}
