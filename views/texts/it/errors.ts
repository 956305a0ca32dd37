import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Pagina non trovata',
    notPossible: 'Non è possibile',
    notAvailable: 'Non disponibile',
    tooMany: 'Troppe richieste',
    providerAway: 'Il fornitore di pagamenti non risponde',
    other: 'Si è verificato un errore',
  },
  titled: title => `Errore: ${title}`,
  notSold: shop => `${shop} non vende più questo prodotto.`,
  shopClosed:
    'Al momento questo negozio non accetta pagamenti. Se hai già pagato, contatta il negozio ' +
    'indicando il numero dell’ordine.',
  checkLink: 'Controlla il link o chiedine uno nuovo al negozio.',
  backToPayment: 'Torna al pagamento',
  requestId: 'ID della richiesta',
  waitMinute: 'Attendi un minuto, poi riprova.',
  wait: seconds =>
    plural('it', seconds, {
      one: `Troppe richieste. Riprova tra ${seconds} secondo.`,
      other: `Troppe richieste. Riprova tra ${seconds} secondi.`,
    }),
  shopCannot:
    'Il negozio non può accettare questo ordine al momento. Riprova più tardi o contatta il negozio.',
  byCode: {
    validation_error: 'Questo link o modulo non è valido. Torna indietro o chiedi un nuovo link al negozio.',
    not_found: 'A questo indirizzo non c’è alcuna pagina.',
    order_not_payable: 'Questo ordine non può più essere pagato. Torna al negozio e ordina di nuovo.',
    method_not_offered: 'Questo metodo di pagamento non è disponibile. Scegline un altro.',
    product_not_available: 'Questo prodotto non è disponibile. Torna al negozio e scegline un altro.',
    internal_error:
      'Riprova. Se succede di nuovo, contatta il negozio indicando l’ID della richiesta riportato sotto.',
    provider_unavailable: 'Riprova tra qualche minuto.',
  },
  byReason: {
    order_unknown: 'Questo ordine non esiste.',
    product_unknown: 'Questo prodotto non esiste.',
    order_paid: 'Questo ordine è già pagato.',
    order_cancelled: 'Questo ordine è stato annullato.',
    order_expired: 'Questo ordine è scaduto. Torna al negozio e ordina di nuovo.',
    order_failed: 'Il pagamento di questo ordine non è riuscito. Torna al negozio e ordina di nuovo.',
    coin_not_offered:
      'Questa criptovaluta al momento non è disponibile per questo ordine. Scegli un altro metodo.',
    coin_unsupported: 'Questa criptovaluta non è più supportata. Contatta il negozio.',
    nothing_to_refund: 'Non c’è nulla da rimborsare. Contatta il negozio se pensi che sia un errore.',
    address_saved: 'È già salvato un indirizzo di rimborso. Contatta il negozio per modificarlo.',
    private_key: 'Sembra una chiave privata. Non condividerla mai. Inserisci invece un indirizzo.',
    payment_address: 'Questo è l’indirizzo a cui paghi. Inserisci un indirizzo del tuo portafoglio.',
    payments_open: 'Hai aperto dieci pagamenti per questo ordine. Completane uno o riprova tra 30 minuti.',
    changed: 'Questa pagina non era aggiornata. Ricaricala e riprova.',
  },
  notAnAddress: network => `Questo non è un indirizzo su ${network}. Copialo di nuovo dal portafoglio.`,
}
