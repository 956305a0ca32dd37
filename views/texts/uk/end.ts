import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Сплачено',
  paidCoins: (amount, shop) => `Ви сплатили ${amount}. Отримувач: ${shop}.`,
  paidWith: (shop, method) => `Ви сплатили через ${method}. Отримувач: ${shop}.`,
  paidShop: shop => `Ви сплатили. Отримувач: ${shop}.`,
  thanks: 'Дякуємо!',
  expired: 'Термін цього замовлення минув',
  expiredShort: received => `Ми отримали ${received}, що не покриває це замовлення.`,
  contactFirst: shop => `Зв’яжіться з ${shop}, перш ніж платити знову.`,
  notInTime: 'Його не оплатили вчасно.',
  maybePaid: 'Якщо ви вже сплатили, не замовляйте ще раз: ваш платіж усе одно буде виявлено.',
  orderAgain: 'Якщо ні, поверніться до магазину й замовте ще раз.',
  cancelled: 'Це замовлення скасовано',
  notCharged: 'Кошти не списано.',
  failed: 'Оплата не вдалася',
  declined: 'Платіжна система відхилила платіж. Поверніться до магазину й замовте ще раз.',
  blocked: 'Оплата неможлива',
  notAccepted: shop => `${shop} не може прийняти цей платіж.`,
  haveQuestions: shop => `Якщо маєте запитання, зв’яжіться з ${shop}.`,
}
