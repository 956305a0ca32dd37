import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Оплачено',
  paidCoins: (amount, shop) => `Вы заплатили ${amount} магазину ${shop}.`,
  paidWith: (shop, method) => `Вы заплатили магазину ${shop} через ${method}.`,
  paidShop: shop => `Вы заплатили магазину ${shop}.`,
  thanks: 'Спасибо!',
  refundedTitle: 'Деньги возвращены',
  refunded: (amount, shop) => `Магазин ${shop} вернул ${amount}.`,
  expired: 'Срок оплаты этого заказа истёк',
  contactFirst: shop => `Свяжитесь с ${shop}, прежде чем платить снова.`,
  notInTime: 'Заказ не был оплачен вовремя.',
  maybePaid: 'Если вы уже оплатили, не заказывайте снова: ваш платёж всё равно будет обнаружен.',
  orderAgain: 'Если нет, вернитесь в магазин и закажите снова.',
  cancelled: 'Этот заказ отменён',
  notCharged: 'Деньги не списаны.',
  failed: 'Оплата не прошла',
  declined: 'Платёжная система отклонила платёж. Вернитесь в магазин и закажите снова.',
  blocked: 'Оплата невозможна',
  notAccepted: shop => `${shop} не может принять этот платёж.`,
  haveQuestions: shop => `Если у вас есть вопросы, свяжитесь с ${shop}.`,
}
