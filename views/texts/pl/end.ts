import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Zapłacono',
  paidCoins: (amount, shop) => `Zapłacono ${amount}. Odbiorca: ${shop}.`,
  paidWith: (shop, method) => `Zapłacono. Odbiorca: ${shop}. Metoda: ${method}.`,
  paidShop: shop => `Zapłacono. Odbiorca: ${shop}.`,
  thanks: 'Dziękujemy!',
  refundedTitle: 'Zwrócono środki',
  refunded: (amount, shop) => `Sklep ${shop} zwrócił ${amount}.`,
  expired: 'To zamówienie wygasło',
  contactFirst: shop => `Skontaktuj się ze sklepem ${shop}, zanim zapłacisz ponownie.`,
  notInTime: 'Nie zostało opłacone na czas.',
  maybePaid: 'Jeśli płatność została już wysłana, nie zamawiaj ponownie: i tak ją wykryjemy.',
  orderAgain: 'W przeciwnym razie wróć do sklepu i złóż zamówienie ponownie.',
  cancelled: 'To zamówienie zostało anulowane',
  notCharged: 'Nie pobrano żadnych środków.',
  failed: 'Płatność nie powiodła się',
  declined: 'Dostawca płatności odrzucił płatność. Wróć do sklepu i złóż zamówienie ponownie.',
  blocked: 'Płatność niemożliwa',
  notAccepted: shop => `Sklep ${shop} nie może przyjąć tej płatności.`,
  haveQuestions: shop => `W razie pytań skontaktuj się ze sklepem ${shop}.`,
}
