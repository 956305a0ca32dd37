import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Parte do seu pagamento chegou',
  left: (left, total) =>
    `Ainda falta pagar ${left} de ${total}. Você pode pagar o restante por qualquer forma que a ` +
    'loja ofereça.',
  payRest: 'Pagar o restante',
  vanished: 'Seu pagamento não aparece mais na rede',
  refund: 'Seu reembolso',
  recorded: (shop, amount) => `${shop} registrou um reembolso de ${amount} para o seu pedido.`,
  refundedTotal: 'Total reembolsado',
  sentApart: shop => `${shop} envia o dinheiro a você separadamente. Se ele não chegar, fale com a loja.`,
  sentBack: 'O provedor de pagamento que você usou devolve o dinheiro.',
  decides: 'A loja decide sobre o reembolso.',
  leaveAddress:
    'Se quiser o dinheiro de volta, você pode deixar um endereço de reembolso na página do seu ' + 'pedido.',
  worth: 'Valor',
  why: shop => `Você recebeu este e-mail porque este endereço foi informado em um pedido em ${shop}.`,
}
