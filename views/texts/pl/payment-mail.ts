import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Dotarła część Twojej płatności',
  left: (left, total) =>
    `Do zapłaty pozostało ${left} z ${total}. Resztę można zapłacić w dowolny sposób oferowany ` +
    'przez sklep.',
  payRest: 'Zapłać resztę',
  vanished: 'Twojej płatności nie widać już w sieci',
  refund: 'Twój zwrot',
  recorded: (shop, amount) => `Sklep ${shop} odnotował zwrot ${amount} za Twoje zamówienie.`,
  refundedTotal: 'Zwrócono łącznie',
  sentApart: shop => `Sklep ${shop} wysyła pieniądze osobno. Jeśli nie dotrą, skontaktuj się ze sklepem.`,
  sentBack: 'Pieniądze zwraca operator płatności, przez którego dokonano zapłaty.',
  decides: 'O zwrocie decyduje sklep.',
  leaveAddress: 'Jeśli chcesz odzyskać pieniądze, możesz podać adres do zwrotu na stronie zamówienia.',
  worth: 'Wartość',
  why: shop => `Otrzymujesz tę wiadomość, ponieważ ten adres podano przy zamówieniu w sklepie ${shop}.`,
}
