import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Оплачено',
  paidCoins: (amount, shop) => `Ви сплатили ${amount} магазину ${shop}.`,
  paidWith: (shop, method) => `Ви заплатили магазину ${shop} через ${method}.`,
  paidShop: shop => `Ви заплатили магазину ${shop}.`,
  thanks: 'Дякуємо!',
  refundedTitle: 'Кошти повернено',
  refunded: (amount, shop) => `Магазин ${shop} повернув ${amount}.`,
  expired: 'Термін оплати цього замовлення минув',
  contactFirst: shop => `Зв’яжіться з ${shop}, перш ніж платити знову.`,
  notInTime: 'Замовлення не оплачено вчасно.',
  maybePaid: 'Якщо ви вже оплатили, не замовляйте ще раз: ваш платіж усе одно буде виявлено.',
  orderAgain: 'Якщо ні, поверніться до магазину й замовте ще раз.',
  cancelled: 'Це замовлення скасовано',
  notCharged: 'Кошти не списано.',
  failed: 'Оплата не вдалася',
  declined: 'Платіжна система відхилила платіж. Поверніться до магазину й замовте ще раз.',
  blocked: 'Оплата неможлива',
  notAccepted: shop => `${shop} не може прийняти цей платіж.`,
  haveQuestions: shop => `Якщо маєте запитання, зв’яжіться з ${shop}.`,
}
