import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Pagato',
  paidCoins: (amount, shop) => `Hai pagato ${amount} a ${shop}.`,
  paidWith: (shop, method) => `Hai pagato ${shop} con ${method}.`,
  paidShop: shop => `Hai pagato ${shop}.`,
  thanks: 'Grazie!',
  refundedTitle: 'Rimborsato',
  refunded: (amount, shop) => `${shop} ha rimborsato ${amount}.`,
  expired: 'Questo ordine è scaduto',
  contactFirst: shop => `Contatta ${shop} prima di pagare di nuovo.`,
  notInTime: 'Non è stato pagato in tempo.',
  maybePaid: 'Se hai già pagato, non ordinare di nuovo: il pagamento verrà comunque rilevato.',
  orderAgain: 'Altrimenti torna al negozio e ordina di nuovo.',
  cancelled: 'Questo ordine è stato annullato',
  notCharged: 'Non ti è stato addebitato nulla.',
  failed: 'Il pagamento non è riuscito',
  declined: 'Il fornitore di pagamenti ha rifiutato il pagamento. Torna al negozio e ordina di nuovo.',
  blocked: 'Pagamento non possibile',
  notAccepted: shop => `${shop} non può accettare questo pagamento.`,
  haveQuestions: shop => `Contatta ${shop} se hai domande.`,
}
